import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { startingAtOnce } from '../audio/speech-join.ts';
import { onAnyReplica } from '../engines/any-replica.ts';
import { engineFault } from '../engines/engine-fault.ts';
import type { HomeConnection } from '../engines/home-client.ts';
import { HomeError, type HomeFailure } from '../engines/home-fault.ts';
import { homeSoundSchema, homeSpeakerSchema } from '../engines/home-speaker.ts';
import type { ModelCommand } from '../engines/model-commands.ts';
import type { Replica } from '../engines/replicas.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import { AppError, toAppError } from '../errors.ts';
import type { CallPayload } from '../jobs/queues.ts';
import { listRequestSchema, onLists } from '../lists/list-request.ts';
import { type HomeTrialEnd, type StoredHome, storedHomeSchema } from '../settings/home-connection.ts';
import { type SentenceDraft, sentenceDraftSchema } from '../settings/own-sentences.ts';
import { type RoutineFault, type RoutinesToCheck, routinesToCheckSchema } from '../settings/routine-fault.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { EngineName } from '../status/engine-status.ts';
import { transcriptionOptionsSchema } from '../turn/transcription-options.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { toPiperOptions, type Voice } from './speak-job.ts';
import type { Transcriber } from './transcribe-job.ts';

/** RFC 9218: requests of people come first, those of clients last. */
const urgency = { household: 4, program: 6 };

const placesSchema = z.array(z.string());

type SpokenManner = NonNullable<CallPayload['manner']>;

/** The household's voice at normal speed. */
const usualManner: SpokenManner = { voice: null, speed: 1 };

const homeFailures: Readonly<Record<HomeFailure, string>> = {
  unreachable: 'Home Assistant cannot be reached.',
  lost: 'Home Assistant closed the connection before its answer was complete.',
  slow: 'Home Assistant took too long.',
  late: 'Home Assistant took too long.',
  starting: 'Home Assistant is still starting.',
  refused: 'Home Assistant does not accept the access token.',
  banned: 'Home Assistant has banned this address. Remove it from ip_bans.yaml there, and restart it.',
  missing: 'There is no Home Assistant at its address.',
  broken: 'Home Assistant returned an invalid answer.',
};

interface WorkerCallJobOptions {
  turns: TurnStore;
  sounds: SoundTransport;
  transcriber: Transcriber;
  /** Speaks a language for people, with the fallback voice if needed. */
  voiceOf: (manner: Pick<SpokenManner, 'language'>) => Voice;
  voices: readonly Replica<TtsClient>[];
  pronounce: (words: string) => string;
  fallback: { speak(text: string, signal: AbortSignal): Promise<Pcm> };
  /** Null: the household has no Home Assistant now. */
  home: () => Pick<HomeConnection, 'house' | 'areaOf' | 'things' | 'playSound' | 'endSound'> | null;
  /** Tries to connect to another Home Assistant. */
  tryHome: (home: StoredHome, signal: AbortSignal) => Promise<HomeTrialEnd>;
  checkRoutines: (routines: RoutinesToCheck, signal: AbortSignal) => Promise<RoutineFault | null>;
  /** The fault of a file of own sentences; '': none. */
  checkSentences: (draft: SentenceDraft, signal: AbortSignal) => Promise<string>;
  lists: () => Parameters<typeof onLists>[0];
  /** Undoes the actions of a turn. */
  undoTurn: (turnId: string, signal: AbortSignal) => Promise<void>;
  /** Loads or unloads a model on every server of an engine, if supported. */
  command: (engine: EngineName, command: ModelCommand, signal: AbortSignal) => Promise<void>;
}

/** Handles one kind of call, and returns its result as text. */
type Work = (call: CallPayload, signal: AbortSignal) => Promise<string>;
type Works = Partial<Record<CallPayload['what'], Work>>;

interface CallText {
  textOf: (call: CallPayload) => Promise<string>;
}

type SpeechCallOptions = CallText &
  Pick<WorkerCallJobOptions, 'sounds' | 'transcriber' | 'voiceOf' | 'voices' | 'pronounce' | 'fallback'>;

/** Calls of the speech recognition and of the voices. */
function createSpeechCalls(options: SpeechCallOptions): Works {
  const { textOf, sounds, transcriber, voiceOf, voices, pronounce, fallback } = options;

  const soundOf = async ({ callId, replyTo }: CallPayload, signal: AbortSignal): Promise<Pcm> => {
    const sound = await sounds.collect(callId, replyTo, signal);
    if (!sound) throw new AppError('internal', undefined, { cause: new Error('the sound is gone') });
    return sound;
  };
  const transcribeSample = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const sound = await soundOf(call, signal);
    const recording = { key: call.callId, sound, room: null, urgency: urgency.household, signal };
    return (await transcriber.transcribeSpeech(recording)).text;
  };
  const transcribe = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const [text, sound] = await Promise.all([textOf(call), soundOf(call, signal)]);
    const options = transcriptionOptionsSchema.parse(JSON.parse(text));
    const recording = { key: call.callId, sound, urgency: urgency.program, signal };
    return JSON.stringify(await transcriber.transcribe(options, recording));
  };
  const byVoice = async (
    text: string,
    { callId: key, manner }: CallPayload,
    signal: AbortSignal,
  ): Promise<Pcm | null> => {
    if (voices.length === 0) throw new AppError('tts_unavailable', 'The voice is switched off.');
    let tried: Replica<TtsClient> | undefined;
    try {
      return await onAnyReplica(voices, key, (replica) => {
        tried = replica;
        return replica.client.speak({ text: pronounce(text), ...(manner && toPiperOptions(manner)), signal });
      });
    } catch (error) {
      throw engineFault('tts', error, (tried ?? voices[0])?.status());
    }
  };
  const byFallback = async (text: string, signal: AbortSignal): Promise<Pcm> => {
    try {
      return await fallback.speak(pronounce(text), signal);
    } catch (error) {
      throw engineFault('tts', error, undefined);
    }
  };
  const say = async (
    { manner = usualManner }: CallPayload,
    text: string,
    signal: AbortSignal,
  ): Promise<Pcm | null> => {
    const sound = await voiceOf(manner)(text, manner, signal);
    return sound && startingAtOnce(sound);
  };
  const spokenBy = (call: CallPayload, text: string, signal: AbortSignal): Promise<Pcm | null> => {
    if (call.what === 'say') return say(call, text, signal);
    return call.what === 'speak' ? byVoice(text, call, signal) : byFallback(text, signal);
  };
  const speak = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const text = await textOf(call);
    const sound = await spokenBy(call, text, signal);
    if (sound) await sounds.send(call.replyTo, { box: call.callId, seq: 0 }, sound);
    return text;
  };
  return { hear: transcribeSample, transcribe, speak, say: speak, 'speak-fallback': speak };
}

type HomeCallOptions = CallText &
  Pick<WorkerCallJobOptions, 'home' | 'tryHome' | 'checkRoutines' | 'checkSentences' | 'lists' | 'undoTurn'>;

/** Calls about the house, its lists, and the routines and actions of the household. */
function createHomeCalls(options: HomeCallOptions): Works {
  const { textOf, checkRoutines } = options;
  const orUnavailable = <Fact>(fact: Promise<Fact>): Promise<Fact> =>
    fact.catch((error: unknown) => {
      if (!(error instanceof HomeError)) throw error;
      throw new AppError('home_unavailable', homeFailures[error.failure], { cause: error });
    });
  const askHome = async (signal: AbortSignal): Promise<string> => {
    const home = options.home();
    if (home) await orUnavailable(home.house(signal));
    return '';
  };
  const thingsNow = async (signal: AbortSignal): Promise<string> => {
    const home = options.home();
    return JSON.stringify(home ? await orUnavailable(home.things(signal)) : null);
  };
  const tryHome = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const given = storedHomeSchema.parse(JSON.parse(await textOf(call)));
    return JSON.stringify(await options.tryHome(given, signal));
  };
  const areaOf = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const home = options.home();
    const places = placesSchema.parse(JSON.parse(await textOf(call)));
    return home ? ((await orUnavailable(home.areaOf(places, signal))) ?? '') : '';
  };
  const handleLists = async (call: CallPayload): Promise<string> => {
    const request = listRequestSchema.parse(JSON.parse(await textOf(call)));
    return JSON.stringify(await onLists(options.lists(), request));
  };
  const playAtHome = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const home = options.home();
    const sound = homeSoundSchema.parse(JSON.parse(await textOf(call)));
    if (home === null) throw new AppError('home_unavailable');
    return await orUnavailable(home.playSound(sound, signal));
  };
  const hushAtHome = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const speaker = homeSpeakerSchema.parse(JSON.parse(await textOf(call)));
    const home = options.home();
    if (home) await orUnavailable(home.endSound(speaker, signal));
    return '';
  };
  const faultOfRoutines = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const routines = routinesToCheckSchema.parse(JSON.parse(await textOf(call)));
    const fault = await checkRoutines(routines, signal);
    return fault === null ? '' : JSON.stringify(fault);
  };
  const examineSentences = async (call: CallPayload, signal: AbortSignal): Promise<string> =>
    options.checkSentences(sentenceDraftSchema.parse(JSON.parse(await textOf(call))), signal);
  const undoTurn = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    await options.undoTurn(await textOf(call), signal);
    return '';
  };
  return {
    'take-back': undoTurn,
    routines: faultOfRoutines,
    sentences: examineSentences,
    area: areaOf,
    lists: handleLists,
    'play-at-home': playAtHome,
    'hush-at-home': hushAtHome,
    home: (_call, signal) => askHome(signal),
    things: (_call, signal) => thingsNow(signal),
    'try-home': tryHome,
  };
}

/**
 * Answers the calls of the api to a worker. Reports engine failures without a fallback or cached sound,
 * except in `say`.
 */
export function createWorkerCallJob(options: WorkerCallJobOptions) {
  const { turns, sounds, transcriber, voiceOf, voices, pronounce, fallback, command } = options;
  const { home, tryHome, checkRoutines, checkSentences, lists, undoTurn } = options;

  const textOf = async ({ callId }: CallPayload): Promise<string> => (await turns.readSentence(callId)) ?? '';
  const works: Works = {
    ...createSpeechCalls({ textOf, sounds, transcriber, voiceOf, voices, pronounce, fallback }),
    ...createHomeCalls({ textOf, home, tryHome, checkRoutines, checkSentences, lists, undoTurn }),
  };
  const work = async (call: CallPayload, signal: AbortSignal): Promise<string> => {
    const { what, engine, model } = call;
    const done = works[what]?.(call, signal);
    if (done !== undefined) return done;
    if (engine === 'home' || (what !== 'load' && what !== 'unload')) throw new AppError('internal');
    await command(engine, { what, model }, signal).catch((error: unknown) => {
      throw engineFault(engine, error, undefined);
    });
    return '';
  };

  return async (call: CallPayload, signal: AbortSignal): Promise<void> => {
    const { callId: turnId, replyTo } = call;
    const begunAt = performance.now();
    try {
      const text = await work(call, signal);
      const tookMs = performance.now() - begunAt;
      await turns.publishCallEnd(replyTo, { type: 'call', turnId, tookMs, text });
    } catch (thrown) {
      const { code, message, param } = toAppError(signal.aborted ? signal.reason : thrown);
      await turns.publishCallEnd(replyTo, {
        type: 'failed',
        turnId,
        error: { code, message, ...(param !== null && { param }) },
      });
      throw thrown;
    }
  };
}
