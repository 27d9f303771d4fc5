import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { Vad } from '../audio/vad.ts';
import { AppError, toAppError } from '../errors.ts';
import type { EventReader } from '../listen/events/client-events.ts';
import type { WakeMode } from '../listen/events/listen-events.ts';
import type { Notices } from '../listen/notices.ts';
import { createOwnVoice, type OwnWords } from '../listen/playback/own-voice.ts';
import type { Announcing } from '../listen/ringing/announcing.ts';
import type { Ringer } from '../listen/ringing/ringer.ts';
import type { SatelliteNews } from '../listen/satellite-news.ts';
import type { SatelliteOrders } from '../listen/satellite-orders.ts';
import type { EnteredSession, Session, SessionOptions } from '../listen/session.ts';
import type { SessionChoice } from '../listen/session-choice.ts';
import type { Logger } from '../log.ts';
import { asksForBeta } from '../realtime/beta-session.ts';
import type { ChoicesHere } from '../satellites/choices-here.ts';
import type { SpeakersHere } from '../speakers/speakers-here.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import type { SynthesizeSentence } from '../turn-client/sentence-synthesis.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { ownName } from './caller.ts';
import { callerAddress } from './caller-address.ts';
import type { SocketHandlers } from './contract-routes.ts';
import type { HeldCalls } from './held-calls.ts';
import { createLateVad } from './late-vad.ts';
import { closeCodes } from './live-connection.ts';
import { sendRefusal } from './realtime-connection.ts';
import { createSatelliteAdmission, type ProcessLoad } from './satellite-admission.ts';
import { createSatelliteRegistry } from './satellite-registry.ts';
import { createSessionOpener, type ProtocolKind } from './satellite-session.ts';
import { createSessionEntry, type EnterSession, type SessionParts } from './session-entry.ts';
import { systemClock as clock } from './system-clock.ts';
import { createSpeechTranscription, createTranscriptionConnections } from './transcription-connection.ts';

/** A satellite that has not closed by then is terminated. */
const goodbyeMs = 1_000;
/** How often `drain()` checks for idle satellites. */
const drainEveryMs = 100;

interface SatelliteOptions extends Pick<SessionOptions, SessionParts> {
  log: Logger;
  synthesizeSentence: SynthesizeSentence;
  readEvent: EventReader;
  words: OwnWords;
  /** The tags of the household's languages. */
  languages: readonly string[];
  /** The tag of the language that a request names. Throws AppError. */
  languageIn: (named: string | undefined) => string | undefined;
  /** The voice and its speed. */
  manner: () => string;
  /** Loads the VAD. Only a process with connected satellites needs it. */
  loadVad: () => Promise<Vad>;
  news: {
    tell: (news: SatelliteNews) => Promise<void>;
    listen: (listener: (news: SatelliteNews) => void) => void;
  };
  ringer: Ringer;
  notices: Notices;
  announcing: Announcing;
  speakers: SpeakersHere;
  choices: ChoicesHere;
  orders: SatelliteOrders;
  /** The load of this process. */
  load: () => ProcessLoad;
  held: HeldCalls;
  sight: PictureSupport;
  /** The question to answer if a program requests an answer before the person has spoken. */
  greetMe: string;
  /** The names of the household's voices. Undefined: they are unknown now. */
  voices: () => readonly string[] | undefined;
  /** Transcribes speech for programs. */
  transcribe: WorkerCalls['transcribe'];
}

/** The request of a connection. */
interface Entering {
  query: {
    client?: string;
    room?: string;
    wake?: WakeMode;
    echo?: 'cancelled';
    language?: string;
    intent?: 'transcription';
  };
  request: FastifyRequest;
}

export type Satellites = ReturnType<typeof createSatellites>;

/** `GET /listen`: the live connections of this process. */
export function createSatellites(options: SatelliteOptions) {
  const { log, synthesizeSentence, words, languages, news, held } = options;
  const onFault = (error: unknown) => log.error({ err: error }, 'live connection failed');
  const voice = createOwnVoice({ synthesizeSentence, words, languages, clock, manner: options.manner });
  const vad = createLateVad(options.loadVad);
  const sessions = new Map<WebSocket, Pick<Session, 'isBusy'>>();
  const registry = createSatelliteRegistry({
    tell: news.tell,
    onError: (error) => log.warn({ err: error }, 'failed to announce a satellite to the other processes'),
  });
  news.listen(registry.onNews);
  const { sockets, letIn } = createEntrance({ log, held, registry, load: options.load, sessions });

  const { readEvent, sight, greetMe, voices, transcribe, settings } = options;
  const enterSession = createSessionEntry({ ...options, voice, vad, registry, onFault });
  const openSession = createSessionOpener({
    readEvent,
    enter: enterSession,
    sight,
    greetMe,
    voices,
    transcribe: createSpeechTranscription({ vad, settings, transcribe }),
    onFault,
  });
  const openTranscription = createTranscriptionConnections({ log, vad, settings, transcribe, onFault });

  const serve = (socket: WebSocket, session: Pick<Session, 'isBusy'>): void => {
    sessions.set(socket, session);
    socket.on('close', () => sessions.delete(socket));
    vad.load().catch((error) => {
      onFault(error);
      const { message } = new AppError(
        'internal',
        'The voice detection cannot be loaded. The log has the details.',
      );
      socket.close(closeCodes.broken, message);
    });
  };

  const enter = (socket: WebSocket, { query, request }: Entering, kind: ProtocolKind): void => {
    if (!letIn(socket, request, { client: clientIn(query), kind })) return;
    const language = chosenLanguage(options.languageIn, { named: query.language, socket });
    if (language === null) return;
    const choice = choiceIn(query, { endSilenceMs: options.settings().endSilenceMs, language });
    serve(
      socket,
      openSession(socket, choice, {
        ...{ caller: request.caller, kind, isBeta: asksForBeta(request.headers) },
        takesEchoOut: query.echo === 'cancelled',
      }),
    );
    void voice.prepare();
  };
  /**
   * Serves a connection that only transcribes. It is not a satellite: timers and announcements do not play
   * there.
   */
  const transcribeOnly = (socket: WebSocket, { request }: Entering): void => {
    if (letIn(socket, request, { client: null, kind: 'realtime' }))
      serve(socket, openTranscription(socket, request.caller, asksForBeta(request.headers)));
  };

  const listen: SocketHandlers['listen'] = (socket, call) => enter(socket, call, 'listen');
  const realtime: SocketHandlers['realtime'] = (socket, call) =>
    call.query.intent === 'transcription' ? transcribeOnly(socket, call) : enter(socket, call, 'realtime');
  const handler = () => {
    throw new AppError('upgrade_required');
  };

  return {
    sockets: { listen, realtime },
    handlers: { listen: handler, realtime: handler },
    /** Before a restart, disconnects each satellite once it is idle, so that no one is cut off. */
    async drain({ isBusy, maxMs }: { isBusy: () => boolean; maxMs: number }): Promise<void> {
      const until = clock.nowMs() + maxMs;
      while ((isBusy() || sockets.size > 0) && clock.nowMs() < until) {
        for (const socket of sockets) if (!sessions.get(socket)?.isBusy()) sendAway(socket);
        await new Promise<void>((resolve) => clock.after(drainEveryMs, resolve));
      }
    },
    /** The process stops: satellites may reconnect immediately. */
    sayGoodbye(): void {
      voice.stop();
      for (const socket of sockets) sendAway(socket);
    },
    /** For satellites that do not use a WebSocket. Rejects if the VAD cannot be loaded. */
    async enterSession(entering: Parameters<EnterSession>[0]): Promise<EnteredSession> {
      await vad.load();
      void voice.prepare();
      return enterSession(entering);
    },
    get open() {
      return registry.size;
    },
  };
}

interface EntranceOptions extends Pick<SatelliteOptions, 'log' | 'held' | 'load'> {
  registry: ReturnType<typeof createSatelliteRegistry>;
  sessions: ReadonlyMap<WebSocket, unknown>;
}

/**
 * Tracks the open sockets. `letIn` returns whether a connection can be served. If not, it sends the reason
 * and closes it.
 */
function createEntrance({ log, held, load, registry, sessions }: EntranceOptions) {
  const sockets = new Set<WebSocket>();
  const refusalOf = createSatelliteAdmission({ clock, load });
  const letIn = (
    socket: WebSocket,
    request: FastifyRequest,
    { client, kind }: { client: string | null; kind: ProtocolKind },
  ): boolean => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    endWithToken(socket, request, held);
    // ws has sent the reason with the close code.
    socket.on('error', () => socket.terminate());
    // A satellite that reconnects takes its previous place.
    const refusal =
      client !== null && registry.has(ownName(request.caller, client)) ? null : refusalOf(sessions.size);
    if (refusal === null) return true;
    log.warn({ client, reason: refusal, satellites: sessions.size }, 'satellite refused');
    if (kind === 'realtime') sendRefusal(socket, refusal);
    socket.close(closeCodes.overload, refusal);
    // Reading its further data would cost as much as serving it.
    socket.pause();
    clock.after(goodbyeMs, () => socket.terminate());
    return false;
  };
  return { sockets, letIn };
}

/** The satellite's name. Null: it has none. */
function clientIn(query: Entering['query']): string | null {
  return query.client?.trim() || null;
}

/** The session fields that a request chooses. */
function choiceIn(
  query: Entering['query'],
  { endSilenceMs, language }: { endSilenceMs: number; language: string | undefined },
): SessionChoice {
  return {
    client: clientIn(query),
    room: query.room?.trim() || null,
    endpointing: 'server',
    end_silence_ms: endSilenceMs,
    ...(query.wake !== undefined && { wake: query.wake }),
    ...(language !== undefined && { language }),
  };
}

/** The language that a connection names. Null: the household does not speak it, and it is closed. */
function chosenLanguage(
  languageIn: SatelliteOptions['languageIn'],
  { named, socket }: { named: string | undefined; socket: WebSocket },
): string | undefined | null {
  try {
    return languageIn(named);
  } catch (error) {
    part(socket, closeCodes.unusable, toAppError(error).message);
    return null;
  }
}

/** Closes the connection of a satellite whose token is revoked, with that reason. */
function endWithToken(socket: WebSocket, request: FastifyRequest, held: HeldCalls): void {
  const token = request.caller.device;
  if (!token) return;
  const end = () => part(socket, closeCodes.revoked, 'the token was revoked');
  socket.once('close', held.hold({ token, from: callerAddress(request), end }));
}

function sendAway(socket: WebSocket): void {
  part(socket, closeCodes.restart, 'the server restarts');
}

function part(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  clock.after(goodbyeMs, () => socket.terminate());
}
