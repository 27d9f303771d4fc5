import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { createListener } from '../audio/listener.ts';
import type { Vad } from '../audio/vad.ts';
import {
  anyWords,
  createTranscriptionSession,
  type TranscriptionSession,
} from '../listen/transcription-session.ts';
import type { TurnTakingSettings } from '../listen/turn-taking/turn-taking-options.ts';
import type { Logger } from '../log.ts';
import type { TranscribeSpeech } from '../realtime/early-transcription.ts';
import { createTranscriptionClient } from '../realtime/transcription-client.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import type { Caller } from './caller.ts';
import { createLiveConnection } from './live-connection.ts';
import { sendTo } from './realtime-connection.ts';
import { systemClock as clock } from './system-clock.ts';

const pingIntervalMs = 15_000;
/**
 * Length of speech after which the next pause ends the utterance. The speech up to that pause still fits
 * Whisper's window.
 */
const goesOnAfterMs = 14_000;
/** Includes the wait for all earlier speech. */
const pieceMs = 60_000;

interface TranscriptionConnectionsOptions {
  log: Logger;
  vad: Vad;
  settings: () => Pick<TurnTakingSettings, 'endSilenceMs'>;
  transcribe: WorkerCalls['transcribe'];
  onFault: (error: unknown) => void;
}

/** Opens connections that only transcribe. */
export function createTranscriptionConnections({
  log,
  vad,
  settings,
  transcribe,
  onFault,
}: TranscriptionConnectionsOptions) {
  return (socket: WebSocket, caller: Caller, isBeta: boolean): TranscriptionSession => {
    const id = randomUUID();
    const about = { session: id, ...(caller.tokenName && { token_name: caller.tokenName }) };
    log.info({ ...about, kind: 'transcription' }, 'transcription client connected');
    socket.on('close', (code) => log.info({ ...about, code }, 'transcription client disconnected'));
    const usualSilenceMs = settings().endSilenceMs;
    return serveTranscription({
      socket,
      id,
      isBeta,
      usualSilenceMs,
      onFault,
      open: (side) =>
        createTranscriptionSession({
          ...side,
          listener: createListener({ vad, silences: anyWords(usualSilenceMs), goesOnAfterMs }),
          newId: () => `item_${randomUUID()}`,
          write: (sound, options, signal) => transcribe(sound, options, { withinMs: pieceMs, signal }),
          onFault,
        }),
    });
  };
}

/** Transcribes speech that a client has committed itself. */
export function createSpeechTranscription({
  vad,
  settings,
  transcribe,
}: Pick<TranscriptionConnectionsOptions, 'vad' | 'settings' | 'transcribe'>): TranscribeSpeech {
  return async (samples, signal) => {
    const written = Promise.withResolvers<string>();
    // It may fail while the sound is still being read.
    written.promise.catch(() => undefined);
    const { endSilenceMs } = settings();
    const session = createTranscriptionSession({
      listener: createListener({ vad, silences: anyWords(endSilenceMs), goesOnAfterMs }),
      newId: randomUUID,
      options: () => ({ times: false, words: false }),
      write: (sound, options, whole) => transcribe(sound, options, { withinMs: pieceMs, signal: whole }),
      tell: {
        started: () => undefined,
        stopped: () => undefined,
        committed: () => undefined,
        words: () => undefined,
        written: (_, text) => written.resolve(text),
        failed: (_, error) => written.reject(error),
      },
      onRoom: () => undefined,
      onFault: written.reject,
    });
    signal.addEventListener('abort', session.close, { once: true });
    session.set({ endSilenceMs, isManual: true });
    await session.pushAudio(samples);
    await session.commit(() => written.resolve(''));
    return written.promise;
  };
}

type ClientOptions = Parameters<typeof createTranscriptionClient>[0];

interface TranscriptionConnectionOptions extends Pick<ClientOptions, 'id' | 'usualSilenceMs' | 'onFault'> {
  socket: WebSocket;
  /** The client uses the event names of OpenAI's beta. */
  isBeta: boolean;
  /**
   * Opens the transcription session. Calls `onRoom` when queued sound has been transcribed, so more may
   * follow.
   */
  open: (side: Parameters<ClientOptions['open']>[0] & { onRoom: () => void }) => TranscriptionSession;
}

/** A live connection in OpenAI's Realtime format that only transcribes. */
function serveTranscription(options: TranscriptionConnectionOptions): TranscriptionSession {
  const { socket, id, isBeta, usualSilenceMs, onFault } = options;
  const connection = createLiveConnection({ socket, clock, pingIntervalMs });
  const client = createTranscriptionClient({
    id,
    usualSilenceMs,
    onFault,
    send: sendTo(socket, connection, isBeta),
    open: (side) => options.open({ ...side, onRoom: () => connection.release(client.session) }),
    onSound: connection.pushAudio,
  });
  connection.serve(client.session, (data) => client.read(String(data)));
  return client.session;
}
