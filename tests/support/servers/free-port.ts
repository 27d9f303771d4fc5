import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the system's ephemeral ports. There, another connection or server can take a free port before the
 * intended server. A client that retries a dead server can even connect to itself.
 */
const [lowest, highest] = [20_000, 32_000];

/** Finds a port without a listener. */
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
