import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { createListener } from '../audio/listener.ts';
import type { Vad } from '../audio/vad.ts';
import { anyWords, createDictationSession, type DictationSession } from '../listen/dictation-session.ts';
import { createSoundCheck } from '../listen/sound-check.ts';
import type { TurnTakingSettings } from '../listen/turn-taking/turn-taking-options.ts';
import type { Logger } from '../log.ts';
import { inBetaWords } from '../realtime/beta-session.ts';
import { createTranscriptionClient } from '../realtime/transcription-client.ts';
import type { Probes } from '../turn-client/probes.ts';
import type { Caller } from './caller.ts';
import { createAllowance, createInlet, createLine, keepAlive } from './satellite-connection.ts';
import { systemClock as clock } from './system-clock.ts';

const pingEveryMs = 15_000;
/**
 * After so much speech the next pause is an end: as much as Whisper reads at once holds the rest up to there.
 */
const goesOnAfterMs = 14_000;
/** With everybody before it who speaks. */
const pieceMs = 60_000;

interface TranscriptionConnectionsOptions {
  log: Logger;
  vad: Vad;
  settings: () => Pick<TurnTakingSettings, 'endSilenceMs'>;
  writeDown: Probes['writeDown'];
  onFault: (error: unknown) => void;
}

/** Opens connections that only write down what they hear. */
export function createTranscriptionConnections({
  log,
  vad,
  settings,
  writeDown,
  onFault,
}: TranscriptionConnectionsOptions) {
  return (socket: WebSocket, caller: Caller, isBeta: boolean): DictationSession => {
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
        createDictationSession({
          ...side,
          listener: createListener({ vad, silences: anyWords(usualSilenceMs), goesOnAfterMs }),
          newId: () => `item_${randomUUID()}`,
          write: async (sound, wish, signal) =>
            (await writeDown(sound, wish, { withinMs: pieceMs, signal })).text,
          onFault,
        }),
    });
  };
}

type ClientOptions = Parameters<typeof createTranscriptionClient>[0];

interface TranscriptionConnectionOptions extends Pick<ClientOptions, 'id' | 'usualSilenceMs' | 'onFault'> {
  socket: WebSocket;
  /** The client knows the names of OpenAI's beta only. */
  isBeta: boolean;
  /** Opens the side that listens and writes; `onRoom`: sound that waited has been written down. */
  open: (side: Parameters<ClientOptions['open']>[0] & { onRoom: () => void }) => DictationSession;
}

/** A live connection that only writes down what it hears, in OpenAI's Realtime vocabulary. */
function serveTranscription(options: TranscriptionConnectionOptions): DictationSession {
  const { socket } = options;
  const line = createLine(socket);
  const check = createSoundCheck(clock);
  const mayTell = createAllowance(clock);
  const pings = keepAlive({ socket, clock, everyMs: pingEveryMs });
  const gate = createInlet({ socket, clock, onHold: pings.excuse });
  const release = () => gate.release(client.session.waitingMs());
  const client = createTranscriptionClient({
    ...options,
    send: (event) => {
      const told = options.isBeta ? inBetaWords(event) : event;
      // Whoever sends nonsense is not answered line by line.
      if (told && (!('error' in told) || mayTell())) line.send(told);
    },
    open: (side) => options.open({ ...side, onRoom: release }),
    onSound: (session, samples) => {
      // Counted, to be fair to the others; a recording may come as fast as it likes otherwise.
      check.faultOf(samples);
      void session.hear(samples).then(release);
      gate.hold(session.waitingMs(), check.waitMs());
    },
  });
  socket.on('message', (data) => client.read(String(data)));
  socket.on('close', () => {
    pings.stop();
    gate.stop();
    client.session.close();
  });
  return client.session;
}
