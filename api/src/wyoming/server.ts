import { BlockList, createServer, isIP, type Socket } from 'node:net';
import { serveWyoming, type WyomingServices } from './connection.ts';

/** Home Assistant opens one for each piece of work. */
const maxConnections = 64;
/** Addresses that were refused are told once each; nobody fills the log with them. */
const maxTold = 100;

interface WyomingServerOptions extends WyomingServices {
  log: { warn: (about: object, message: string) => void };
  /** Addresses and ranges that may use it. There is no other protection: the protocol knows no password. */
  allowed: readonly string[];
}

/** The server of the Wyoming protocol (https://github.com/OHF-Voice/wyoming, 1.10.2), by which Home Assistant uses our ears, our voice and our answers. */
export function createWyomingServer({ log, allowed, ...services }: WyomingServerOptions) {
  const list = blockListOf(allowed);
  const sockets = new Set<Socket>();
  const told = new Set<string>();
  const tellOnce = (key: string, about: object, message: string) => {
    if (told.has(key) || told.size >= maxTold) return;
    told.add(key);
    log.warn(about, message);
  };

  const server = createServer((socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
      tellOnce(address, { address }, 'a Wyoming caller was refused: WYOMING_ALLOW does not name its address');
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveWyoming(socket, services, (why) =>
      tellOnce(`${address} ${why}`, { address, why }, 'a Wyoming caller was hung up on'),
    );
  });
  server.maxConnections = maxConnections;
  server.on('drop', () =>
    tellOnce('full', { connections: maxConnections }, 'a Wyoming caller was refused: too many are connected'),
  );

  return {
    /** Resolves with the port. Rejects with the system's error if the address cannot be listened on. */
    listen: ({ address, port }: { address: string; port: number }) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: address, port }, () => {
          server.off('error', reject);
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    /** Ends every connection. */
    stop(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(bits), kind);
  }
  return list;
}

/** An IPv4 caller of a socket that listens on both is shown as ::ffff:192.168.1.5. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
