import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { startingAtOnce } from '../audio/speech-join.ts';
import { engineFault } from '../engines/engine-fault.ts';
import type { HomeClient } from '../engines/home-client.ts';
import { HomeError, type HomeTrouble } from '../engines/home-fault.ts';
import { homeSoundSchema, homeSpeakerSchema } from '../engines/home-speaker.ts';
import type { ModelCommand } from '../engines/model-commands.ts';
import { onAnyReplica, type Replica } from '../engines/replicas.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import { AppError, toAppError } from '../errors.ts';
import type { ProbePayload } from '../jobs/queues.ts';
import { listRequestSchema, onLists } from '../lists/list-request.ts';
import { type HomeTrialEnd, type KeptHome, keptHomeSchema } from '../settings/home-connection.ts';
import { type SentenceDraft, sentenceDraftSchema } from '../settings/own-sentences.ts';
import { type RoutineFault, type RoutinesToCheck, routinesToCheckSchema } from '../settings/routine-fault.ts';
import type { SoundPost } from '../sound-transport/sound-post.ts';
import type { EngineName } from '../status/engine-status.ts';
import { transcriptionOptionsSchema } from '../turn/transcription-options.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { inManner, type Manner, type Voice } from './speak-job.ts';
import type { Transcriber } from './transcribe-job.ts';

/** RFC 9218: requests of people come first, those of clients last. */
const urgency = { probe: 4, program: 6 };

const placesSchema = z.array(z.string());

/** The household's voice at normal speed. */
const usualManner: Manner = { voice: null, speed: 1 };

const homeTroubles: Readonly<Record<HomeTrouble, string>> = {
  unreachable: 'Home Assistant cannot be reached.',
  lost: 'Home Assistant closed the connection before its answer was complete.',
  slow: 'Home Assistant took too long.',
  late: 'Home Assistant took too long.',
  starting: 'Home Assistant is still starting.',
  refused: 'Home Assistant does not take the access token.',
  banned: 'Home Assistant has banned this address. Remove it from ip_bans.yaml there, and restart it.',
  missing: 'There is no Home Assistant at its address.',
  broken: 'Home Assistant answered something that makes no sense.',
};

interface ProbeJobOptions {
  turns: TurnStore;
  sounds: SoundPost;
  transcriber: Transcriber;
  /** Speaks for people, with the fallback voice if needed. */
  voice: Voice;
  voices: readonly Replica<TtsClient>[];
  pronounce: (words: string) => string;
  fallback: { speak(text: string, signal: AbortSignal): Promise<Pcm> };
  /** Null: the household has no Home Assistant now. */
  home: () => Pick<HomeClient, 'house' | 'areaOf' | 'things' | 'playSound' | 'endSound'> | null;
  /** Tries to connect to another Home Assistant. */
  tryHome: (home: KeptHome, signal: AbortSignal) => Promise<HomeTrialEnd>;
  checkRoutines: (routines: RoutinesToCheck, signal: AbortSignal) => Promise<RoutineFault | null>;
  /** The fault of a file of own sentences; '': none. */
  checkSentences: (draft: SentenceDraft) => string;
  lists: () => Parameters<typeof onLists>[0];
  /** Undoes the actions of a turn. */
  takeBack: (turnId: string, signal: AbortSignal) => Promise<void>;
  /** Loads or unloads a model on every server of an engine, if supported. */
  command: (engine: EngineName, command: ModelCommand, signal: AbortSignal) => Promise<void>;
}

/** Does one kind of probe, and returns its result as text. */
type Work = (probe: ProbePayload, signal: AbortSignal) => Promise<string>;
type Works = Partial<Record<ProbePayload['what'], Work>>;

interface ProbeText {
  textOf: (probe: ProbePayload) => Promise<string>;
}

type SpeechProbeOptions = ProbeText &
  Pick<ProbeJobOptions, 'sounds' | 'transcriber' | 'voice' | 'voices' | 'pronounce' | 'fallback'>;

/** Probes of the speech recognition and of the voices. */
function createSpeechProbes(options: SpeechProbeOptions): Works {
  const { textOf, sounds, transcriber, voice, voices, pronounce, fallback } = options;

  const soundOf = async ({ probeId, replyTo }: ProbePayload, signal: AbortSignal): Promise<Pcm> => {
    const sound = await sounds.collect(probeId, replyTo, signal);
    if (!sound) throw new AppError('internal', undefined, { cause: new Error('the sound is gone') });
    return sound;
  };
  const hear = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const sound = await soundOf(probe, signal);
    const heard = { key: probe.probeId, sound, room: null, urgency: urgency.probe, signal };
    return (await transcriber.hear(heard)).text;
  };
  const transcribe = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const [text, sound] = await Promise.all([textOf(probe), soundOf(probe, signal)]);
    const options = transcriptionOptionsSchema.parse(JSON.parse(text));
    const recording = { key: probe.probeId, sound, urgency: urgency.program, signal };
    return JSON.stringify(await transcriber.transcribe(options, recording));
  };
  const byVoice = async (
    text: string,
    { probeId: key, manner }: ProbePayload,
    signal: AbortSignal,
  ): Promise<Pcm | null> => {
    if (voices.length === 0) throw new AppError('tts_unavailable', 'The voice is switched off.');
    let asked: Replica<TtsClient> | undefined;
    try {
      return await onAnyReplica(voices, key, (replica) => {
        asked = replica;
        return replica.client.speak({ text: pronounce(text), ...(manner && inManner(manner)), signal });
      });
    } catch (error) {
      throw engineFault('tts', error, (asked ?? voices[0])?.status());
    }
  };
  const byFallback = async (text: string, signal: AbortSignal): Promise<Pcm> => {
    try {
      return await fallback.speak(pronounce(text), signal);
    } catch (error) {
      throw engineFault('tts', error, undefined);
    }
  };
  const say = async ({ manner }: ProbePayload, text: string, signal: AbortSignal): Promise<Pcm | null> => {
    const sound = await voice(text, manner ?? usualManner, signal);
    return sound && startingAtOnce(sound);
  };
  const spokenBy = (probe: ProbePayload, text: string, signal: AbortSignal): Promise<Pcm | null> => {
    if (probe.what === 'say') return say(probe, text, signal);
    return probe.what === 'speak' ? byVoice(text, probe, signal) : byFallback(text, signal);
  };
  const speak = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const text = await textOf(probe);
    const sound = await spokenBy(probe, text, signal);
    if (sound) await sounds.send(probe.replyTo, { box: probe.probeId, seq: 0 }, sound);
    return text;
  };
  return { hear, 'write-down': transcribe, speak, say: speak, 'speak-fallback': speak };
}

type HomeProbeOptions = ProbeText &
  Pick<ProbeJobOptions, 'home' | 'tryHome' | 'checkRoutines' | 'checkSentences' | 'lists' | 'takeBack'>;

/** Probes of the house, its lists, and the routines and actions of the household. */
function createHomeProbes(options: HomeProbeOptions): Works {
  const { textOf, checkRoutines } = options;
  const told = <Fact>(fact: Promise<Fact>): Promise<Fact> =>
    fact.catch((error: unknown) => {
      if (!(error instanceof HomeError)) throw error;
      throw new AppError('home_unavailable', homeTroubles[error.trouble], { cause: error });
    });
  const askHome = async (signal: AbortSignal): Promise<string> => {
    const home = options.home();
    if (home) await told(home.house(signal));
    return '';
  };
  const thingsNow = async (signal: AbortSignal): Promise<string> => {
    const home = options.home();
    return JSON.stringify(home ? await told(home.things(signal)) : null);
  };
  const tryHome = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const given = keptHomeSchema.parse(JSON.parse(await textOf(probe)));
    return JSON.stringify(await options.tryHome(given, signal));
  };
  const areaOf = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const home = options.home();
    const places = placesSchema.parse(JSON.parse(await textOf(probe)));
    return home ? ((await told(home.areaOf(places, signal))) ?? '') : '';
  };
  const seeLists = async (probe: ProbePayload): Promise<string> => {
    const request = listRequestSchema.parse(JSON.parse(await textOf(probe)));
    return JSON.stringify(await onLists(options.lists(), request));
  };
  const playAtHome = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const home = options.home();
    const sound = homeSoundSchema.parse(JSON.parse(await textOf(probe)));
    if (home === null) throw new AppError('home_unavailable');
    return await told(home.playSound(sound, signal));
  };
  const hushAtHome = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const speaker = homeSpeakerSchema.parse(JSON.parse(await textOf(probe)));
    const home = options.home();
    if (home) await told(home.endSound(speaker, signal));
    return '';
  };
  const lookAtRoutines = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const routines = routinesToCheckSchema.parse(JSON.parse(await textOf(probe)));
    const fault = await checkRoutines(routines, signal);
    return fault === null ? '' : JSON.stringify(fault);
  };
  const lookAtSentences = async (probe: ProbePayload): Promise<string> =>
    options.checkSentences(sentenceDraftSchema.parse(JSON.parse(await textOf(probe))));
  const takeBack = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    await options.takeBack(await textOf(probe), signal);
    return '';
  };
  return {
    'take-back': takeBack,
    routines: lookAtRoutines,
    sentences: lookAtSentences,
    area: areaOf,
    lists: seeLists,
    'play-at-home': playAtHome,
    'hush-at-home': hushAtHome,
    home: (_probe, signal) => askHome(signal),
    things: (_probe, signal) => thingsNow(signal),
    'try-home': tryHome,
  };
}

/**
 * Runs work on one engine outside the turns. Reports engine failures without a fallback or cached sound,
 * except in `say`.
 */
export function createProbeJob(options: ProbeJobOptions) {
  const { turns, sounds, transcriber, voice, voices, pronounce, fallback, command } = options;
  const { home, tryHome, checkRoutines, checkSentences, lists, takeBack } = options;

  const textOf = async ({ probeId }: ProbePayload): Promise<string> =>
    (await turns.readSentence(probeId)) ?? '';
  const works: Works = {
    ...createSpeechProbes({ textOf, sounds, transcriber, voice, voices, pronounce, fallback }),
    ...createHomeProbes({ textOf, home, tryHome, checkRoutines, checkSentences, lists, takeBack }),
  };
  const work = async (probe: ProbePayload, signal: AbortSignal): Promise<string> => {
    const { what, engine, model } = probe;
    const done = works[what]?.(probe, signal);
    if (done !== undefined) return done;
    if (engine === 'home' || (what !== 'load' && what !== 'unload')) throw new AppError('internal');
    await command(engine, { what, model }, signal).catch((error: unknown) => {
      throw engineFault(engine, error, undefined);
    });
    return '';
  };

  return async (probe: ProbePayload, signal: AbortSignal): Promise<void> => {
    const { probeId: turnId, replyTo } = probe;
    const begunAt = performance.now();
    try {
      const text = await work(probe, signal);
      const tookMs = performance.now() - begunAt;
      await turns.tellProbe(replyTo, { type: 'probe', turnId, tookMs, text });
    } catch (thrown) {
      const { code, message, param } = toAppError(signal.aborted ? signal.reason : thrown);
      await turns.tellProbe(replyTo, {
        type: 'failed',
        turnId,
        error: { code, message, ...(param !== null && { param }) },
      });
      throw thrown;
    }
  };
}
