import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createEngineClient, type EngineClient, EngineError } from '../../api/src/engines/engine-client.ts';

let server: Server;
let client: EngineClient;

afterEach(async () => {
  await client.close();
  server.close();
});

/** A server that answers so many requests on each connection and then ends it without a word. */
async function answering(perConnection: number) {
  client = createEngineClient('llm');
  const sockets: Socket[] = [];
  server = createServer((socket) => {
    sockets.push(socket);
    let answered = 0;
    socket.on('data', (bytes) => {
      // Head and body may come apart: the body ends the request.
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
  test('that the engine has ended is replaced without anybody noticing', async () => {
    const { ask, sockets } = await answering(2);

    const answers: unknown[] = [];
    for (let time = 0; time < 10; time += 1) answers.push(await ask());

    expect(answers).toEqual(Array(10).fill({}));
    expect(sockets.length).toBeGreaterThan(2);
  });

  test('is replaced once, not for ever', async () => {
    const { ask, sockets } = await answering(0);

    const failure = await ask().catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(EngineError);
    expect(failure).toMatchObject({ failure: 'unreachable' });
    expect(sockets).toHaveLength(2);
  });
});
