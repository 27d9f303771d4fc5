import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { listenOnFreePort } from '../servers/listen.ts';
import { createWeatherServer } from './mcp-tools.ts';

/** Serves the weather station over HTTP. */
export async function startMcpHttp() {
  const notes: string[] = [];
  const handler = createMcpHandler(() => createWeatherServer({ onNote: (words) => void notes.push(words) }));
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await buffer(request) : null;
    const headers = new Headers(
      Object.entries(request.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      ),
    );
    const url = `http://127.0.0.1${request.url}`;
    const answer = await handler.fetch(new Request(url, { method: request.method ?? 'GET', headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    try {
      if (answer.body) for await (const chunk of answer.body) response.write(chunk);
      response.end();
    } catch {
      response.destroy(); // the caller has hung up
    }
  });
  const address = await listenOnFreePort(server);
  return {
    url: `${address}/mcp`,
    notes,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
