import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { createListener } from '../audio/listener.ts';
import type { Vad } from '../audio/vad.ts';
import { AppError } from '../errors.ts';
import type { Chain } from '../jobs/chain.ts';
import type { EventReader } from '../listen/client-events.ts';
import type { Clock } from '../listen/clock.ts';
import { createSaying } from '../listen/echo.ts';
import { createOwnVoice, type OwnWords } from '../listen/own-voice.ts';
import type { Ringer } from '../listen/ringer.ts';
import { createSession, type Session, type SessionLimits, type SessionOptions } from '../listen/session.ts';
import { conversationOf, type SessionChoice } from '../listen/session-choice.ts';
import type { Logger } from '../log.ts';
import type { SatelliteNews } from '../turn/satellite-news.ts';
import type { Handlers, SocketHandlers } from './contract-routes.ts';
import { closeCodes, createLine, serveSatellite } from './satellite-connection.ts';
import { createRoster } from './satellite-roster.ts';

/** More satellites than any home has. */
const mostSatellites = 256;
/** Whoever does not say goodbye by then is cut off. */
const goodbyeMs = 1_000;
/** Before a restart it is looked so often whether a satellite is quiet. */
const drainEveryMs = 100;

const limits: SessionLimits = {
  mostUtteranceMs: 30_000,
  mostFrameBytes: 65_536,
  aheadMs: 2_000,
  pingEveryMs: 15_000,
};

export interface SatelliteOptions
  extends Pick<SessionOptions, 'judge' | 'undo' | 'claim' | 'tone' | 'settings'> {
  log: Logger;
  chain: Chain;
  readEvent: EventReader;
  words: OwnWords;
  /** Who speaks, and how fast. */
  manner: () => string;
  /** Loads the voice detection. Only a process to which satellites connect needs it. */
  loadVad: () => Promise<Vad>;
  news: {
    tell: (news: SatelliteNews) => Promise<void>;
    listen: (listener: (news: SatelliteNews) => void) => void;
  };
  ringer: Ringer;
}

export type Satellites = ReturnType<typeof createSatellites>;

/** `GET /listen`: the live connections of this process. */
export function createSatellites(options: SatelliteOptions) {
  const { log, chain, readEvent, words, news, ringer } = options;
  const onFault = (error: unknown) => log.error({ err: error }, 'a fault in a live connection');
  const saying = createSaying();
  const voice = createOwnVoice({ chain, words, clock, manner: options.manner });
  const vad = createLateVad(options.loadVad);
  const sockets = new Set<WebSocket>();
  const sessions = new Map<WebSocket, Pick<Session, 'isBusy'>>();
  const roster = createRoster({
    tell: news.tell,
    onError: (error) => log.warn({ err: error }, 'the other processes were not told of a satellite'),
  });
  news.listen(roster.onNews);

  const open = (socket: WebSocket, choice: SessionChoice): void => {
    const id = randomUUID();
    const line = createLine(socket);
    const placeOf = (chosen: SessionChoice) => ({
      room: chosen.room,
      conversation: conversationOf(id, chosen),
    });
    const session = createSession({
      ...options,
      ...line,
      id,
      choice,
      clock,
      limits,
      voice,
      saying,
      newTurnId: randomUUID,
      openListener: (given) => createListener({ vad, ...given }),
      timers: (chosen) => ringer.running(placeOf(chosen)),
      onChoice: (chosen) => {
        roster.rename(id, chosen.client);
        ringer.move(id, placeOf(chosen));
      },
      onStopped: () => ringer.stopped(id),
      onAnswered: () => ringer.spokenWith(id),
      onFault,
    });
    sessions.set(socket, session);
    serveSatellite(session, line, { socket, clock, readEvent, pingEveryMs: limits.pingEveryMs, onFault });
    const replaced = () => socket.close(closeCodes.replaced, 'a newer connection of this client');
    roster.join({ sessionId: id, client: choice.client, connectedAt: Date.now(), replaced });
    ringer.join({ sessionId: id, place: placeOf(choice), ring: session.ring, tell: session.tell });
    log.info({ session: id, client: choice.client, room: choice.room }, 'a satellite has connected');
    socket.on('close', (code) => {
      roster.leave(id);
      sessions.delete(socket);
      ringer.leave(id);
      log.info({ session: id, code }, 'a satellite has left');
    });
    vad.load().catch((error) => {
      onFault(error);
      const { message } = new AppError(
        'internal',
        'The voice detection cannot be loaded. The log has the details.',
      );
      socket.close(closeCodes.broken, message);
    });
  };

  const listen: SocketHandlers['listen'] = (socket, { query }) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // ws has told the satellite why, with the close code.
    socket.on('error', () => socket.terminate());
    if (roster.size >= mostSatellites) {
      socket.close(closeCodes.overload, 'too many satellites are connected');
      return;
    }
    open(socket, {
      client: query.client?.trim() || null,
      room: query.room?.trim() || null,
      endpointing: 'server',
      end_silence_ms: options.settings().endSilenceMs,
    });
    void voice.prepare();
  };

  const handler: Handlers['listen'] = () => {
    throw new AppError('upgrade_required');
  };

  return {
    sockets: { listen },
    handlers: { listen: handler },
    /** The process is to start anew: each satellite is sent away when it is quiet there, so that nobody is cut off. */
    async drain({ isBusy, mostMs }: { isBusy: () => boolean; mostMs: number }): Promise<void> {
      const until = clock.nowMs() + mostMs;
      while ((isBusy() || sockets.size > 0) && clock.nowMs() < until) {
        for (const socket of sockets) if (!sessions.get(socket)?.isBusy()) sendAway(socket);
        await new Promise<void>((resolve) => clock.after(drainEveryMs, resolve));
      }
    },
    /** The process ends: satellites may connect again at once. */
    sayGoodbye(): void {
      for (const socket of sockets) sendAway(socket);
    },
    get open() {
      return roster.size;
    },
  };
}

function sendAway(socket: WebSocket): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(closeCodes.restart, 'the server restarts');
  clock.after(goodbyeMs, () => socket.terminate());
}

const clock: Clock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The voice detection, loaded with the first satellite; what that says meanwhile waits. */
function createLateVad(loadVad: () => Promise<Vad>): Vad & { load: () => Promise<Vad> } {
  let loading: Promise<Vad> | null = null;
  const load = () => {
    loading ??= loadVad().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    load,
    open() {
      const stream = load().then((vad) => vad.open());
      stream.catch(() => undefined);
      return { speech: async (frame) => (await stream).speech(frame) };
    },
  };
}
