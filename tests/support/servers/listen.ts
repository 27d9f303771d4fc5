import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** Starts a server on a free port of the loopback address and returns its address. */
export async function listenOnFreePort(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
  return `http://127.0.0.1:${address.port}`;
}

/** Makes a stopped server listen at its old address. */
export async function listenAgain(server: Server, url: string): Promise<void> {
  if (server.listening) return;
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
}

/** Fires when the caller hangs up before the answer has been sent. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
