import { createServer, type Socket } from 'node:net';

/** A port, and the server that answers its connections. */
export interface ServedPort {
  port: number;
  take: (socket: Socket) => void;
}

/** Open connections may finish their answers within this time after their listener closes. */
const goodbyeMs = 1_000;

/**
 * Listens on the home addresses of this machine, beside the loopback address that stays open. Each address
 * has its own socket, because the loopback address already uses the port.
 */
export function createHomeListeners({ addresses }: { addresses: () => readonly string[] }) {
  const open = new Map<string, { port: number; close: () => void }>();
  let last: Promise<void> = Promise.resolve();

  const closeUnless = (isWanted: (name: string) => boolean): void => {
    for (const [name, { close }] of open) {
      if (isWanted(name)) continue;
      open.delete(name);
      close();
    }
  };
  const follow = async (ports: readonly ServedPort[]): Promise<void> => {
    const wanted = addresses().flatMap((host) =>
      ports.map((each) => ({ ...each, host, name: `${host} ${each.port}` })),
    );
    closeUnless((name) => wanted.some((each) => each.name === name));
    const failed: { port: number; error: unknown }[] = [];
    for (const { name, ...at } of wanted) {
      if (open.has(name)) continue;
      try {
        open.set(name, { port: at.port, close: await listen(at) });
      } catch (error) {
        failed.push({ port: at.port, error });
      }
    }
    // One address for each port is enough: a new IPv6 address cannot be used for its first second.
    const isServed = (port: number) => [...open.values()].some((each) => each.port === port);
    const unserved = failed.find(({ port }) => !isServed(port));
    if (unserved) throw unserved.error;
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  return {
    /**
     * Opens and closes listeners until they match these ports and today's addresses. Rejects with the
     * system's error if a port cannot be opened on any address.
     */
    follow: (ports: readonly ServedPort[]) => inTurn(() => follow(ports)),
    close: () => inTurn(async () => closeUnless(() => false)),
  };
}

interface At extends ServedPort {
  host: string;
}

/** Resolves with a function that closes the listener and its connections. */
function listen({ host, port, take }: At): Promise<() => void> {
  const sockets = new Set<Socket>();
  // As Node's HTTP server does.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    take(socket);
  });
  const close = (): void => {
    server.close();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, goodbyeMs).unref();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(close);
    });
  });
}
