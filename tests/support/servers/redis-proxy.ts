import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type RedisProxy = Awaited<ReturnType<typeof startRedisProxy>>;

/** A proxy to Redis that can stop a process between two of its commands. */
export async function startRedisProxy(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl);
  const open = new Set<Socket>();
  let held: { command: RegExp; isHeld: () => void } | undefined;
  let withheld: (() => void)[] = [];

  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    let isHeldBack = false;
    const goOn = () => {
      isHeldBack = false;
    };
    client.on('data', (chunk) => {
      if (held?.command.test(chunk.toString('latin1'))) {
        isHeldBack = true;
        withheld = [goOn];
        held.isHeld();
        held = undefined;
      }
      const pass = () => redis.write(chunk);
      if (isHeldBack) withheld.push(pass);
      else pass();
    });
    redis.pipe(client);
    for (const [one, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    url: `redis://127.0.0.1:${address.port}`,
    /**
     * Withholds the next matching command and all later ones on its connection. Resolves when the process
     * sent it.
     */
    holdBack(command: RegExp): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = { command, isHeld: resolve };
      return promise;
    },
    /** Passes on what was withheld. */
    release(): void {
      for (const pass of withheld.splice(0)) pass();
    },
    async stop(): Promise<void> {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
