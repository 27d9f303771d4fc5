import type { ListenOptions, Server } from 'node:net';

/** Resolves with the port; port 0 lets the system choose one. Rejects with the system's error. */
export function listenOnPort(server: Server, at: ListenOptions & { port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : at.port);
    });
  });
}
