import type { Socket } from 'node:net';

/**
 * Calls with the first byte that comes, and leaves it to be read again. A socket that sends nothing is
 * closed.
 */
export function awaitFirstByte(socket: Socket, withinMs: number, onByte: (byte: number) => void): void {
  const late = setTimeout(() => socket.destroy(), withinMs);
  const look = (): void => {
    const piece: unknown = socket.read();
    if (!Buffer.isBuffer(piece)) {
      socket.once('readable', look);
      return;
    }
    clearTimeout(late);
    socket.unshift(piece);
    onByte(piece[0] ?? 0);
  };
  socket.once('close', () => clearTimeout(late));
  socket.once('readable', look);
}
