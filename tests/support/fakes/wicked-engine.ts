import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { readAll } from '../clients/multipart.ts';
import { listenAgain, listenOnFreePort } from '../servers/listen.ts';

/** One request as the engine received it. */
interface EngineCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Wickedness = (response: ServerResponse, address: string) => void;

/** A model server that reveals every secret, and answers each page as the test wants. */
export async function startWickedEngine() {
  const calls: EngineCall[] = [];
  let answers: Wickedness = (response) => page(response, 'well');
  const server = createServer(async (request, response) => {
    const body = (await readAll(request)).toString();
    const { method = '', url = '', headers } = request;
    calls.push({ method, url, headers, body });
    answers(response, address);
  });
  const address = await listenOnFreePort(server);
  return {
    url: address,
    calls,
    answers(next: Wickedness) {
      answers = next;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
    start: () => listenAgain(server, address),
  };
}

export function page(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
}
