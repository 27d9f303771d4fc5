import type { WebSocket } from '@fastify/websocket';
import type { RawData } from 'ws';
import type { Clock } from '../clock.ts';
import type { AppError } from '../errors.ts';
import type { ServerEvent } from '../listen/events/listen-events.ts';
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
  unusable: 1008,
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

/** The side of a session that the connection uses. */
interface SoundConsumer {
  pushAudio(samples: Buffer): Promise<unknown>;
  /** How much sound the session has not processed. */
  waitingMs(): number;
  close(): void;
}

interface LiveConnectionOptions {
  socket: WebSocket;
  clock: Clock;
  pingIntervalMs: number;
}

export type LiveConnection = ReturnType<typeof createLiveConnection>;

/** The limits of every live connection: pings, the pace of sound, and the number of error replies. */
export function createLiveConnection({ socket, clock, pingIntervalMs }: LiveConnectionOptions) {
  const check = createSoundCheck(clock);
  const pings = keepAlive({ socket, clock, intervalMs: pingIntervalMs });
  const inlet = createInlet({ socket, clock, onHold: pings.excuse });
  const release = (session: SoundConsumer) => inlet.release(session.waitingMs());
  const hold = (session: SoundConsumer) => inlet.hold(session.waitingMs(), check.waitMs());
  const pass = (session: SoundConsumer, samples: Buffer) =>
    void session.pushAudio(samples).then(() => release(session));
  return {
    /** Whether another error may be sent, so that invalid events do not each get one. */
    maySendError: createAllowance(clock),
    /** Passes sound to the session, unless the check finds a fault. */
    pushCheckedAudio(session: SoundConsumer, samples: Buffer): AppError[] {
      const fault = check.faultOf(samples);
      if (!fault) pass(session, samples);
      hold(session);
      return [fault, check.complaint()].filter((error) => error !== null);
    },
    /** Passes all sound on. The check only throttles: a recording may arrive faster than real time. */
    pushAudio(session: SoundConsumer, samples: Buffer): void {
      check.faultOf(samples);
      pass(session, samples);
      hold(session);
    },
    /** Resumes reading once the session has little sound left. */
    release,
    /** Reads messages until the connection closes, which ends the session. */
    serve(session: SoundConsumer, onMessage: (data: RawData, isBinary: boolean) => void): void {
      socket.on('message', onMessage);
      socket.on('close', () => {
        pings.stop();
        inlet.stop();
        session.close();
      });
    },
  };
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
function createInlet({ socket, clock, onHold }: InletOptions) {
  let cancelTimeout = (): void => undefined;
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
      cancelTimeout();
      cancelTimeout = clock.after(fairMs, () => {
        // A timer may fire a fraction of a millisecond early, and nothing else would resume reading.
        untilMs = 0;
        release(0);
      });
    },
    release,
    stop: () => cancelTimeout(),
  };
}

interface KeepAliveOptions {
  socket: WebSocket;
  clock: Clock;
  intervalMs: number;
}

/** Closes a connection whose satellite is gone or does not read. */
function keepAlive({ socket, clock, intervalMs }: KeepAliveOptions) {
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
    cancelTimeout = clock.after(intervalMs, look);
  };
  let cancelTimeout = clock.after(intervalMs, look);
  socket.on('pong', alive);
  return {
    /** Counts the connection as alive while we pause reading, because no pong can arrive. */
    excuse: alive,
    stop: () => cancelTimeout(),
  };
}

/** Returns whether another error may be sent. */
function createAllowance(clock: Clock): () => boolean {
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
