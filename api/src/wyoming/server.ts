import { BlockList, createServer, isIP, type Socket } from 'node:net';
import { listenOnPort } from '../listen-on-port.ts';
import { serveWyoming, type WyomingServices } from './connection.ts';

/** Home Assistant opens a connection for each request. */
const maxConnections = 64;
/** Each reason is logged once per address, up to this many, so that the log cannot be flooded. */
const maxLogged = 100;

interface WyomingServerOptions extends WyomingServices {
  log: { warn: (about: object, message: string) => void };
  /** Addresses and ranges with access. This is the only protection, because the protocol has no passwords. */
  allowed: readonly string[];
}

/**
 * The Wyoming server (https://github.com/OHF-Voice/wyoming, 1.10.2). Through it, Home Assistant uses our
 * recognition, voices and answers.
 */
export function createWyomingServer({ log, allowed, ...services }: WyomingServerOptions) {
  const list = blockListOf(allowed);
  const sockets = new Set<Socket>();
  const logged = new Set<string>();
  const tellOnce = (key: string, about: object, message: string) => {
    if (logged.has(key) || logged.size >= maxLogged) return;
    logged.add(key);
    log.warn(about, message);
  };

  const server = createServer((socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
      tellOnce(address, { address }, 'a Wyoming client was refused: WYOMING_ALLOW does not name its address');
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveWyoming(socket, services, (why) =>
      tellOnce(`${address} ${why}`, { address, why }, 'a Wyoming client was disconnected'),
    );
  });
  server.maxConnections = maxConnections;
  server.on('drop', () =>
    tellOnce('full', { connections: maxConnections }, 'a Wyoming client was refused: too many are connected'),
  );

  return {
    /** Resolves with the port. Rejects with the system's error if it cannot listen. */
    listen: ({ address, port }: { address: string; port: number }) =>
      listenOnPort(server, { host: address, port }),
    /** Closes every connection. */
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

/** A dual-stack socket shows an IPv4 client as ::ffff:192.168.1.5. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
