import type { Pcm } from '../audio/pcm.ts';
import {
  type HomeSound,
  type HomeSoundEnd,
  type HomeSpeaker,
  homeSoundEndSchema,
} from '../engines/home-speaker.ts';
import { AppError } from '../errors.ts';
import type { CallPayload } from '../jobs/queues.ts';
import type { ListRequest } from '../lists/list-request.ts';
import { onRedis } from '../redis/redis.ts';
import {
  type HomeThings,
  type HomeTrialEnd,
  homeThingsSchema,
  homeTrialEndSchema,
  type StoredHome,
} from '../settings/home-connection.ts';
import type { SentenceDraft } from '../settings/own-sentences.ts';
import { type RoutineFault, type RoutinesToCheck, routineFaultSchema } from '../settings/routine-fault.ts';
import type { EngineName } from '../status/engine-status.ts';
import {
  type TimedTranscript,
  type TranscriptionOptions,
  timedTranscriptSchema,
} from '../turn/transcription-options.ts';
import {
  type CallLimits,
  type CallSender,
  type CallSenderOptions,
  createCallSender,
  type WorkerCall,
} from './call-sender.ts';

/** A person waits for it. */
const waitingPriority = 1;
/** Lower than the later sentences of a reply, so that programs wait for people. */
const programPriority = 80;

/** High, because the sound must play on time. */
const soundPriority = 5;

interface SpokenBy extends CallLimits, Pick<WorkerCall, 'manner'> {
  by: 'voice' | 'fallback';
}

export type WorkerCalls = ReturnType<typeof createWorkerCalls>;

/** Requests to a worker outside the turns. Only workers reach the engines and Home Assistant. */
export function createWorkerCalls(options: CallSenderOptions) {
  const send = createCallSender(options);
  return { ...createEngineCalls(send, options), ...createHouseholdCalls(send) };
}

/** Calls for speech recognition, the voice and the models. */
function createEngineCalls(send: CallSender, { redis, queues }: Pick<CallSenderOptions, 'redis' | 'queues'>) {
  return {
    /** Transcribes a sound. */
    transcribeSample: async (sound: Pcm, limits: CallLimits) =>
      send({ what: 'hear', engine: 'stt', sound, ...limits }),

    /** Speaks a sentence with the voice or the fallback voice, without switching between them. */
    async speak(text: string, { by, ...limits }: SpokenBy) {
      const what = by === 'voice' ? 'speak' : 'speak-fallback';
      const { spoken, tookMs } = await send({ what, engine: 'tts', text, ...limits });
      return { tookMs, sound: spoken };
    },

    /** Transcribes a recording of at most half a minute for a client. Rejects with an AppError. */
    async transcribe(
      sound: Pcm,
      options: TranscriptionOptions,
      limits: CallLimits,
    ): Promise<TimedTranscript> {
      const text = JSON.stringify(options);
      const call = { what: 'transcribe', engine: 'stt', sound, text, priority: programPriority } as const;
      return timedTranscriptSchema.parse(JSON.parse((await send({ ...call, ...limits })).text));
    },

    /**
     * Speaks a sentence for a client, with the fallback voice if needed. Null: there is nothing to say, or no
     * voice was available.
     */
    async say(
      text: string,
      manner: NonNullable<CallPayload['manner']>,
      limits: CallLimits,
    ): Promise<Pcm | null> {
      const how = { what: 'say', engine: 'tts', text, manner, priority: programPriority } as const;
      return (await send({ ...how, ...limits })).spoken;
    },

    /** Loads a model into the servers of an engine, or unloads it. */
    async command(
      command: { what: 'load' | 'unload'; engine: EngineName; model: string | null } & CallLimits,
    ) {
      const { tookMs } = await send(command);
      return { tookMs };
    },

    /** How many jobs wait for an engine, and how many run. */
    async queued(engine: EngineName): Promise<{ waiting: number; running: number }> {
      const queue = queues[({ stt: 'transcribe', llm: 'think', tts: 'speak' } as const)[engine]];
      const counts = await onRedis(redis, () => queue.getJobCounts('waiting', 'prioritized', 'active'));
      const { waiting = 0, prioritized = 0, active = 0 } = counts;
      return { waiting: waiting + prioritized, running: active };
    },
  };
}

/** Calls about the house and the household's own words. */
function createHouseholdCalls(send: CallSender) {
  /** Asks a worker about the house. Throws AppError. */
  const askHome = async (
    what: WorkerCall['what'],
    request: unknown,
    limits: CallLimits & { priority?: number },
  ) => (await send({ what, engine: 'home', text: JSON.stringify(request), ...limits })).text;

  return {
    /** Reads the house from Home Assistant. Throws AppError if that fails. */
    async home(limits: CallLimits): Promise<void> {
      await send({ what: 'home', engine: 'home', ...limits });
    },

    /** Tries to connect to a Home Assistant from a worker. Throws AppError. */
    async tryHome(home: StoredHome, limits: CallLimits): Promise<HomeTrialEnd> {
      return homeTrialEndSchema.parse(JSON.parse(await askHome('try-home', home, limits)));
    },

    /** The things in Home Assistant that can be controlled. Null: none is connected. Throws AppError. */
    async things(limits: CallLimits): Promise<HomeThings | null> {
      const { text } = await send({ what: 'things', engine: 'home', ...limits });
      return homeThingsSchema.nullable().parse(JSON.parse(text));
    },

    /**
     * The Home Assistant area of the first of these devices and things that has one. Null: none has. Throws
     * AppError.
     */
    async area(places: readonly string[], limits: CallLimits): Promise<string | null> {
      return (await askHome('area', places, limits)) || null;
    },

    /**
     * Reads or changes lists through a worker, which can also reach those of Home Assistant. Throws AppError.
     */
    async lists(request: ListRequest, limits: CallLimits): Promise<unknown> {
      return JSON.parse(await askHome('lists', request, limits));
    },

    /** Plays a sound through Home Assistant. Throws AppError. */
    async playAtHome(sound: HomeSound, limits: CallLimits): Promise<HomeSoundEnd> {
      const how = { priority: soundPriority, ...limits };
      return homeSoundEndSchema.parse(await askHome('play-at-home', sound, how));
    },

    /** Stops playback on a speaker of Home Assistant. Throws AppError. */
    async hushAtHome(speaker: HomeSpeaker, limits: CallLimits): Promise<void> {
      await askHome('hush-at-home', speaker, { priority: soundPriority, ...limits });
    },

    /** Validates routines on a worker. Null: they are valid. */
    async routines(routines: RoutinesToCheck, limits: CallLimits): Promise<RoutineFault | null> {
      const fault = await askHome('routines', routines, limits);
      return fault === '' ? null : routineFaultSchema.parse(JSON.parse(fault));
    },

    /** Checks a file of own sentences on a worker. Null: Hearth can start with it. Throws AppError. */
    async sentences(draft: SentenceDraft, limits: CallLimits): Promise<string | null> {
      const fault = await askHome('sentences', draft, limits).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'home_timeout') throw error;
        throw new AppError(
          'turn_timeout',
          'No worker checked the sentences in time. Nothing has been changed. Try again.',
          { cause: error },
        );
      });
      return fault || null;
    },

    /**
     * Undoes the actions of a turn, because the person went on speaking. Only workers reach the house. Throws
     * AppError.
     */
    async undoTurn(turnId: string, limits: CallLimits): Promise<void> {
      await send({ what: 'take-back', engine: 'home', text: turnId, priority: waitingPriority, ...limits });
    },
  };
}
