import { connect, createServer, type Socket } from 'node:net';
import { listenOnFreePort } from './listen.ts';

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/** A plain TCP proxy: each connection goes to the next server that accepts it, in turn. */
export async function startBalancer(ports: readonly number[]) {
  const sockets = new Set<Socket>();
  let next = 0;

  const pass = (near: Socket, triesLeft: number): void => {
    const port = ports[next % ports.length] ?? 0;
    next += 1;
    const far = connect(port, '127.0.0.1');
    far.once('error', () => {
      if (triesLeft === 0) near.destroy();
      else pass(near, triesLeft - 1);
    });
    far.once('connect', () => {
      sockets.add(far);
      far.removeAllListeners('error');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => undefined);
        one.once('close', () => other.destroy());
        one.pipe(other);
      }
      far.once('close', () => sockets.delete(far));
    });
  };
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    near.once('close', () => sockets.delete(near));
    pass(near, ports.length - 1);
  });
  const url = await listenOnFreePort(server);

  return {
    url,
    stop(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
