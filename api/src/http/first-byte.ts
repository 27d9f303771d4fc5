import type { Socket } from 'node:net';

/**
 * Calls `onByte` with the first byte and puts it back into the stream. Closes a socket that sends nothing.
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
