import type { Socket } from 'node:net';
import type { Clock } from '../listen/clock.ts';
import { createFrameReader, FrameError, frameOf, type WyomingEvent } from './frames.ts';

/** Whoever connects wants something, and whoever has begun a message has the rest of it. */
const messageMs = 15_000;

interface MessageIntakeOptions {
  clock: Pick<Clock, 'after'>;
  take: (event: WyomingEvent) => void;
  /** With a sentence, which the caller is told too. Nothing more is read. */
  onHangUp: (why: string) => void;
  onFault: (error: unknown) => void;
}

/** Reads the messages of a caller, and hangs up on one that sends what is none, or never the whole of one. Returns what ends it. */
export function readMessages(socket: Socket, { clock, take, onHangUp, onFault }: MessageIntakeOptions) {
  const reader = createFrameReader();
  let callOff: (() => void) | null = null;

  const hangUp = (why: string): void => {
    onHangUp(why);
    socket.pause();
    socket.end(frameOf({ type: 'error', data: { text: why, code: 'invalid_request' } }));
    socket.destroySoon();
  };
  const late = (): void => {
    // We are the ones who do not read.
    if (socket.isPaused()) expect();
    else hangUp('No whole message came.');
  };
  const expect = (): void => {
    callOff = clock.after(messageMs, late);
  };
  const expectNothing = (): void => {
    callOff?.();
    callOff = null;
  };
  const read = (bytes: Buffer): void => {
    const events = reader.push(bytes);
    if (events.length > 0) expectNothing();
    if (callOff === null && reader.isWithin()) expect();
    events.forEach(take);
  };

  expect();
  socket.on('data', (bytes) => {
    try {
      read(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
    } catch (error) {
      if (!(error instanceof FrameError)) onFault(error);
      hangUp(error instanceof FrameError ? error.message : 'It could not be read.');
    }
  });
  return expectNothing;
}
