import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { createFrameReader, FrameError, frameOf, type WyomingEvent } from './frames.ts';

/** Timeout for a first message, and for the rest of an incomplete one. */
const messageMs = 15_000;

interface MessageIntakeOptions {
  clock: Pick<Clock, 'after'>;
  take: (event: WyomingEvent) => void;
  /** Called with a reason, which the client receives too. Reading stops. */
  onHangUp: (why: string) => void;
  onFault: (error: unknown) => void;
}

/**
 * Reads a client's messages. Disconnects a client that sends invalid or incomplete ones. Returns a function
 * that stops the timeout.
 */
export function readMessages(socket: Socket, { clock, take, onHangUp, onFault }: MessageIntakeOptions) {
  const reader = createFrameReader();
  let cancelTimeout: (() => void) | null = null;

  const hangUp = (why: string): void => {
    onHangUp(why);
    socket.pause();
    socket.end(frameOf({ type: 'error', data: { text: why, code: 'invalid_request' } }));
    socket.destroySoon();
  };
  const late = (): void => {
    // We have paused the socket ourselves.
    if (socket.isPaused()) expect();
    else hangUp('No complete message arrived.');
  };
  const expect = (): void => {
    cancelTimeout = clock.after(messageMs, late);
  };
  const expectNothing = (): void => {
    cancelTimeout?.();
    cancelTimeout = null;
  };
  const read = (bytes: Buffer): void => {
    for (const event of reader.push(bytes)) {
      expectNothing();
      take(event);
    }
    if (cancelTimeout === null && reader.isWithin()) expect();
  };

  expect();
  socket.on('data', (bytes) => {
    try {
      read(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
    } catch (error) {
      if (!(error instanceof FrameError)) onFault(error);
      hangUp(error instanceof FrameError ? error.message : 'The message could not be read.');
    }
  });
  return expectNothing;
}
