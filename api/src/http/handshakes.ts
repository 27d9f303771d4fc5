import type { Socket } from 'node:net';

/**
 * Connections at once, in all and of one address, that have not shown yet what they want. A new one beyond it
 * closes the oldest.
 */
const most = 512;
const maxOfAddress = 64;

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** Bounds what callers cost who begin a handshake and leave it there. */
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
      if (here.length > maxOfAddress || open.size > most) crowded[0]?.destroy();
    },
    /** It has shown what it wants. The socket itself, or the secure one on top of it. */
    leave,
    /** Ends those that are open. */
    end(): void {
      for (const socket of open.values()) socket.destroy();
    },
  };
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}
