import type { WebSocket } from '@fastify/websocket';
import type { Clock } from '../clock.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Loudspeaker } from '../listen/playback/playback.ts';
import type { Session, SessionOptions } from '../listen/session.ts';

/** A satellite with this much unread data is gone, even if its connection looks open. */
const maxUnreadBytes = 1024 * 1024;
/** Maximum queued sound here; more waits in the satellite. */
const maxWaitingMs = 2_000;
/** Burst and refill interval for error replies, so that invalid events do not each get one. */
const maxErrors = 20;
const errorEveryMs = 200;

/** Why the server closes a connection; docs/listen.md has the table. */
export const closeCodes = {
  restart: 1001,
  tooLarge: 1009,
  broken: 1011,
  overload: 1013,
  replaced: 4000,
  revoked: 4001,
} as const;

/** The side of a connection that the session uses. */
export interface Line extends Pick<SessionOptions, 'onUsage'> {
  send(event: ServerEvent): void;
  loudspeaker: Loudspeaker;
}

/** The format of a connection, in both directions. */
export interface Protocol {
  line: Line;
  /** Passes input to the session until the connection closes. */
  serve(session: Session): void;
}

/** Sends events and sound while the satellite reads them. */
export function createLine(socket: WebSocket) {
  const isOpen = () => socket.readyState === socket.OPEN;
  const giveUp = () => socket.terminate();
  return {
    send(event: object): void {
      if (!isOpen()) return;
      socket.send(JSON.stringify(event));
      if (socket.bufferedAmount > maxUnreadBytes) giveUp();
    },
    loudspeaker: {
      play(samples: Buffer): void {
        if (isOpen()) socket.send(samples);
      },
      unreadBytes: () => socket.bufferedAmount,
      giveUp,
    },
  };
}

interface InletOptions {
  socket: WebSocket;
  clock: Clock;
  /** Called when reading pauses. */
  onHold: () => void;
}

/** Pauses reading when too much sound is queued, or when it arrives faster than is fair to others. */
export function createInlet({ socket, clock, onHold }: InletOptions) {
  let callOff = (): void => undefined;
  let untilMs = 0;
  const release = (waitingMs: number): void => {
    if (waitingMs < maxWaitingMs / 2 && clock.nowMs() >= untilMs) socket.resume();
  };
  return {
    hold(waitingMs: number, fairMs: number): void {
      if (waitingMs < maxWaitingMs && fairMs <= 0) return;
      socket.pause();
      onHold();
      if (fairMs <= 0) return;
      untilMs = clock.nowMs() + fairMs;
      callOff();
      callOff = clock.after(fairMs, () => {
        // A timer may fire a fraction of a millisecond early, and nothing else would resume reading.
        untilMs = 0;
        release(0);
      });
    },
    release,
    stop: () => callOff(),
  };
}

interface KeepAliveOptions {
  socket: WebSocket;
  clock: Clock;
  everyMs: number;
}

/** Closes a connection whose satellite is gone or does not read. */
export function keepAlive({ socket, clock, everyMs }: KeepAliveOptions) {
  let isAlive = true;
  const alive = () => {
    isAlive = true;
  };
  const look = (): void => {
    if (!isAlive && !socket.isPaused) {
      socket.terminate();
      return;
    }
    isAlive = socket.isPaused;
    socket.ping();
    callOff = clock.after(everyMs, look);
  };
  let callOff = clock.after(everyMs, look);
  socket.on('pong', alive);
  return {
    /** Counts the connection as alive while we pause reading, because no pong can arrive. */
    excuse: alive,
    stop: () => callOff(),
  };
}

/** Returns whether another error may be sent. */
export function createAllowance(clock: Clock): () => boolean {
  let left = maxErrors;
  let lastMs = clock.nowMs();
  return () => {
    const nowMs = clock.nowMs();
    left = Math.min(maxErrors, left + (nowMs - lastMs) / errorEveryMs);
    lastMs = nowMs;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
