import type { Socket } from 'node:net';

/**
 * Maximum connections, in total and per address, whose protocol is still unknown. A new one beyond it closes
 * the oldest.
 */
const maxOpen = 512;
const maxOfAddress = 64;

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** Limits the cost of callers that begin a handshake and never finish it. */
export function limitHandshakes() {
  const open = new Map<string, Socket>();
  const leave = (peer: Peer): void => void open.delete(nameOf(peer));

  return {
    join(socket: Socket): void {
      const name = nameOf(socket);
      open.set(name, socket);
      socket.once('close', () => open.delete(name));
      const here = [...open.values()].filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress);
      const crowded = here.length > maxOfAddress ? here : [...open.values()];
      if (here.length > maxOfAddress || open.size > maxOpen) crowded[0]?.destroy();
    },
    /**
     * Stops counting a connection whose protocol is known. Takes the socket or the TLS socket on top of it.
     */
    leave,
    /** Ends all counted connections. */
    end(): void {
      for (const socket of open.values()) socket.destroy();
    },
  };
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
