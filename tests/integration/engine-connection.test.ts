import { once } from 'node:events';
import { createServer as createHttpServer, Server as HttpServer, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createEngineClient, type EngineClient, EngineError } from '../../api/src/engines/engine-client.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';

let server: Server;
let client: EngineClient;

afterEach(async () => {
  await client.close();
  if (server instanceof HttpServer) server.closeAllConnections();
  server.close();
});

/** A server that answers this many requests on each connection and then closes it silently. */
async function startEngine(perConnection: number) {
  client = createEngineClient('llm');
  const sockets: Socket[] = [];
  server = createServer((socket) => {
    sockets.push(socket);
    let answered = 0;
    socket.on('data', (bytes) => {
      // Head and body may arrive separately: the body ends the request.
      if (!bytes.toString().endsWith('{}')) return undefined;
      if (answered === perConnection) return socket.destroy();
      answered += 1;
      return socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const call = {
    url: `http://127.0.0.1:${address.port}/`,
    signal: new AbortController().signal,
    idleMs: 5_000,
  };
  return { sockets, ask: () => client.json({ ...call, method: 'POST', body: '{}' }) };
}

describe('a kept-alive connection', () => {
  test('that the engine has closed is replaced unnoticed', async () => {
    const { ask, sockets } = await startEngine(2);

    const answers: unknown[] = [];
    for (let time = 0; time < 10; time += 1) answers.push(await ask());

    expect(answers).toEqual(Array(10).fill({}));
    expect(sockets.length).toBeGreaterThan(2);
  });

  test('is replaced only once', async () => {
    const { ask, sockets } = await startEngine(0);

    const failure = await ask().catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(EngineError);
    expect(failure).toMatchObject({ failure: 'unreachable' });
    expect(sockets).toHaveLength(2);
  });
});

/** A busy server that gets a health check every 20 ms; each check calls `alive`. */
async function working(alive: (sign: ServerResponse, work: ServerResponse) => void) {
  client = createEngineClient('llm');
  const atWork = Promise.withResolvers<ServerResponse>();
  const http = createHttpServer(async (request, response) => {
    if (request.url === '/work') atWork.resolve(response);
    else alive(response, await atWork.promise);
  });
  server = http;
  const address = await listenOnFreePort(http);
  const livenessProbe = { url: `${address}/health`, afterMs: 20, withinMs: 200 };
  const { signal } = new AbortController();
  return client.json({ url: `${address}/work`, signal, idleMs: 60_000, livenessProbe });
}

/** An engine in this process, which blocks this long, this many times, before it answers. */
async function answersAfterSuspensions(ms: number, times: number) {
  client = createEngineClient('llm');
  const http = createHttpServer(async (_request, response) => {
    for (let time = 0; time < times; time += 1) {
      standStill(ms);
      await delay(1);
    }
    response.end('{"done":true}');
  });
  server = http;
  const url = await listenOnFreePort(http);
  return client.json({ url, signal: new AbortController().signal, idleMs: 100 });
}

test.each([
  ['once for long', 1_200, 1],
  ['again and again', 150, 5],
])('data that arrived during a suspension of this process %s is not silence', async (_, ms, times) => {
  const answer = await answersAfterSuspensions(ms, times);

  expect(answer).toEqual({ done: true });
});

/** Blocks the whole process, as if the kernel did not schedule it. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a server that is silent during its work', () => {
  test('has time as long as it reports that it lives', async () => {
    let signs = 0;

    const answer = await working((sign, work) => {
      signs += 1;
      // Any reply at all proves that it lives.
      sign.writeHead(signs === 1 ? 503 : 200).end();
      if (signs === 4) work.end('{"done":true}');
    });

    expect(answer).toEqual({ done: true });
  });

  test('has no more time without such reports', async () => {
    let signs = 0;

    const failure = await working((sign) => {
      signs += 1;
      if (signs === 1) sign.end('ok');
    }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ failure: 'hung' });
    expect(signs).toBe(2);
  });

  test('may be silent between two words too', async () => {
    const failure = await working((sign, work) => {
      if (!work.headersSent) {
        work.write('{');
        sign.end('ok');
      }
    }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ failure: 'hung' });
  });
});
