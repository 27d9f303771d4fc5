import { connect, createServer, type Socket } from 'node:net';
import { listenOnFreePort } from './listen.ts';

export type FreezingProxy = Awaited<ReturnType<typeof startFreezingProxy>>;

/** A proxy that can hang like a stopped process: it accepts connections, but reads and answers nothing. */
export async function startFreezingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let isFrozen = false;
  const unlessFrozen = (act: () => void) => (isFrozen ? void held.push(act) : act());

  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => unlessFrozen(() => to.write(bytes)));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      unlessFrozen(() => to.destroy());
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    pass(near, far);
    pass(far, near);
  });
  const url = await listenOnFreePort(server);

  return {
    url,
    freeze(): void {
      isFrozen = true;
    },
    thaw(): void {
      isFrozen = false;
      for (const act of held.splice(0)) act();
    },
    stop(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
