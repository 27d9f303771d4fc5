import type { WebSocket } from '@fastify/websocket';
import type { RawData } from 'ws';
import type { Clock } from '../clock.ts';
import { type AppError, toAppError } from '../errors.ts';
import type { EventReader } from '../listen/events/client-events.ts';
import type { ErrorEvent, ServerEvent } from '../listen/events/listen-events.ts';
import type { Loudspeaker } from '../listen/playback/playback.ts';
import type { Session, SessionOptions } from '../listen/session.ts';
import { createSoundCheck } from '../listen/sound-check.ts';

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

interface ConnectionOptions {
  socket: WebSocket;
  maxFrameBytes: number;
  clock: Clock;
  readEvent: EventReader;
  pingEveryMs: number;
  onFault: (error: unknown) => void;
}

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

/** Passes frames to the session in order. Only an oversized frame closes the connection. */
export function serveSatellite(session: Session, line: Line, options: ConnectionOptions): void {
  const { socket, maxFrameBytes, clock, readEvent, pingEveryMs, onFault } = options;
  const check = createSoundCheck(clock);
  const mayTell = createAllowance(clock);
  const pings = keepAlive({ socket, clock, everyMs: pingEveryMs });
  const gate = createInlet({ socket, clock, onHold: pings.excuse });

  const refuse = (error: AppError, about: Pick<ErrorEvent, 'event' | 'event_id'>): void => {
    if (mayTell()) line.send({ type: 'error', turn_id: null, ...about, ...error.toBody() });
  };
  const hear = (samples: Buffer): void => {
    const fault = check.faultOf(samples);
    const about = { event: 'audio', event_id: null };
    if (fault) refuse(fault, about);
    else void session.hear(samples).then(() => gate.release(session.waitingMs()));
    const complaint = check.complaint();
    if (complaint) refuse(complaint, about);
    gate.hold(session.waitingMs(), check.waitMs());
  };
  const read = (text: string): void => {
    const given = readEvent(text);
    if ('error' in given) {
      refuse(given.error, { event: given.event, event_id: given.eventId });
      return;
    }
    const about = { event: given.event.type, event_id: given.event.event_id ?? null };
    session
      .take(given.event, (error) => refuse(error, about))
      .catch((error) => {
        onFault(error);
        refuse(toAppError(error), about);
      });
  };

  socket.on('message', (data, isBinary) => {
    const bytes = toBuffer(data);
    if (bytes.length > maxFrameBytes) socket.close(closeCodes.tooLarge, 'a frame is too large');
    else if (isBinary) hear(bytes);
    else read(bytes.toString());
  });
  socket.on('close', () => {
    pings.stop();
    gate.stop();
    session.close();
  });
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
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
