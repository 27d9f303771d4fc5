import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to those who ask for any port: up there, a connection or another server can take a free port
 * before the server that it was meant for, and a client that retries a dead server can even connect to itself.
 */
const [lowest, highest] = [20_000, 32_000];

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isTaken = once(server, 'error').then(() => true);
  const isListening = once(server, 'listening').then(() => false);
  server.listen(port, '127.0.0.1');
  if (await Promise.race([isTaken, isListening])) return false;
  server.close();
  await once(server, 'close');
  return true;
}
