import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import {
  type HomeSound,
  type HomeSoundEnd,
  type HomeSpeaker,
  homeSoundEndSchema,
} from '../engines/home-speaker.ts';
import { AppError } from '../errors.ts';
import type { CallPayload, Queues } from '../jobs/queues.ts';
import type { ListRequest } from '../lists/list-request.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
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
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import {
  type TimedTranscript,
  type TranscriptionOptions,
  timedTranscriptSchema,
} from '../turn/transcription-options.ts';
import { cancelChannel, type TurnEvent, type TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { errorFromEvent } from './follow-turn.ts';

interface WorkerCallsOptions {
  apiId: string;
  redis: Redis;
  queues: Queues;
  turns: TurnStore;
  sounds: SoundTransport;
  inbox: TurnInbox;
  workers: WorkerRegistry;
  clock?: HouseholdClock;
}

interface Limits {
  withinMs: number;
  signal: AbortSignal;
}

interface WorkerCall extends Pick<CallPayload, 'what' | 'engine'>, Limits {
  priority?: number;
  text?: string;
  sound?: Pcm;
  model?: string | null;
  manner?: CallPayload['manner'];
}

/** A person waits for it. */
const waitingPriority = 1;
/** After waiting people, before work without a waiting caller. */
const usualPriority = 30;
/** Clients wait for people, even for later sentences of a reply. */
const programPriority = 80;

/** High, because the sound must play on time. */
const soundPriority = 5;

/**
 * Queue for each kind of call. Work that uses no engine capacity goes to `respond`, which never has long
 * waits.
 */
const queueOf = {
  hear: 'transcribe',
  speak: 'speak',
  'speak-fallback': 'respond',
  'write-down': 'transcribe',
  say: 'speak',
  load: 'respond',
  unload: 'respond',
  home: 'respond',
  'try-home': 'respond',
  things: 'respond',
  area: 'respond',
  'play-at-home': 'respond',
  'hush-at-home': 'respond',
  lists: 'respond',
  routines: 'respond',
  sentences: 'respond',
  'take-back': 'respond',
} as const;

interface SpokenBy extends Limits, Pick<WorkerCall, 'manner'> {
  by: 'voice' | 'fallback';
}

export type WorkerCalls = ReturnType<typeof createWorkerCalls>;

/** Sends calls to the workers, and waits for their results. */
function createCallSender(options: WorkerCallsOptions) {
  const { apiId, redis, queues, turns, sounds, inbox, workers, clock = machineClock } = options;

  const add = (payload: CallPayload, priority: number): Promise<unknown> => {
    const job = { jobId: payload.callId, priority };
    switch (queueOf[payload.what]) {
      case 'transcribe':
        return queues.transcribe.add('call', payload, job);
      case 'speak':
        return queues.speak.add('call', payload, job);
      case 'respond':
        return queues.respond.add('call', payload, job);
    }
  };

  /** The result is not wanted any more: removes the call or cancels it. */
  const recall = ({ callId, what }: CallPayload): void => {
    const ended = [
      queues[queueOf[what]].remove(callId),
      redis.publish(channelOn(redis, cancelChannel), callId),
    ];
    for (const each of ended) Promise.resolve(each).catch(() => undefined);
  };

  /** Resolves when it is done. Rejects with an AppError, `<engine>_timeout` after the timeout. */
  const send = async (call: WorkerCall) => {
    const { what, engine, text, sound, model = null, manner, withinMs, signal } = call;
    const { priority = usualPriority } = call;
    if (!inbox.ready) throw new AppError('redis_unavailable');
    if (workers.noneAlive()) throw new AppError('worker_unavailable');
    const callId = randomUUID();
    if (sound) sounds.keep(callId, sound);
    const box = sounds.open(callId);
    const deadlineAt = Math.round(clock.steady() + withinMs);
    const payload = { callId, what, engine, model, replyTo: apiId, deadlineAt, ...(manner && { manner }) };
    const lost = lossOf(workers);
    const notSent = new AbortController();
    const either = AbortSignal.any([signal, lost.signal, notSent.signal]);
    const result = inbox
      .once(callId, { withinMs, signal: either })
      .then((event) => ({ event, spoken: box.take(0) }))
      .finally(() => {
        lost.stop();
        sounds.forget(callId);
        // The text may contain a secret and is not needed any more.
        if (text !== undefined) turns.forgetSentence(callId).catch(() => undefined);
        box.close();
      });
    // Redis runs these in order, so the worker finds the text before it takes the job.
    sounds.sendAhead(callId);
    const saved = text === undefined ? undefined : turns.saveSentence(callId, text);
    await Promise.all([saved, onRedis(redis, () => add(payload, priority))]).catch((error: unknown) => {
      // The job was not added, so stop waiting at once.
      notSent.abort();
      throw error;
    });
    const { event, spoken } = await result;
    if (event?.type === 'call') return { spoken, tookMs: event.tookMs, text: event.text };
    if (event === null) recall(payload);
    throw failureOf(engine, event, lost.signal);
  };

  const failureOf = (engine: WorkerCall['engine'], event: TurnEvent | null, lost: AbortSignal): AppError => {
    // A call is not a turn, so a turn timeout means that the engine took too long.
    if (event?.type === 'failed' && event.error.code !== 'turn_timeout') return errorFromEvent(event.error);
    if (lost.aborted) return new AppError('worker_unavailable');
    return new AppError(redis.status === 'ready' ? `${engine}_timeout` : 'redis_unavailable');
  };

  return send;
}

/** Requests to a worker outside the turns. Only workers reach the engines and Home Assistant. */
export function createWorkerCalls(options: WorkerCallsOptions) {
  const { redis, queues } = options;
  const send = createCallSender(options);
  /** Asks a worker about the house. Throws AppError. */
  const askHome = async (
    what: WorkerCall['what'],
    request: unknown,
    limits: Limits & { priority?: number },
  ) => (await send({ what, engine: 'home', text: JSON.stringify(request), ...limits })).text;

  return {
    /** Transcribes a sound. */
    hear: async (sound: Pcm, limits: Limits) => send({ what: 'hear', engine: 'stt', sound, ...limits }),

    /** Speaks a sentence with the voice or the fallback voice, without switching between them. */
    async speak(text: string, { by, ...limits }: SpokenBy) {
      const what = by === 'voice' ? 'speak' : 'speak-fallback';
      const { spoken, tookMs } = await send({ what, engine: 'tts', text, ...limits });
      return { tookMs, sound: spoken };
    },

    /** Transcribes a recording of at most half a minute for a client. Rejects with an AppError. */
    async transcribe(sound: Pcm, options: TranscriptionOptions, limits: Limits): Promise<TimedTranscript> {
      const text = JSON.stringify(options);
      const call = { what: 'write-down', engine: 'stt', sound, text, priority: programPriority } as const;
      return timedTranscriptSchema.parse(JSON.parse((await send({ ...call, ...limits })).text));
    },

    /**
     * Speaks a sentence for a client, with the fallback voice if needed. Null: there is nothing to say, or no
     * voice was available.
     */
    async say(text: string, manner: NonNullable<CallPayload['manner']>, limits: Limits): Promise<Pcm | null> {
      const how = { what: 'say', engine: 'tts', text, manner, priority: programPriority } as const;
      return (await send({ ...how, ...limits })).spoken;
    },

    /** Loads a model into the servers of an engine, or unloads it. */
    async command(command: { what: 'load' | 'unload'; engine: EngineName; model: string | null } & Limits) {
      const { tookMs } = await send(command);
      return { tookMs };
    },

    /** Reads the house from Home Assistant. Throws AppError if that fails. */
    async home(limits: Limits): Promise<void> {
      await send({ what: 'home', engine: 'home', ...limits });
    },

    /** Tries to connect to a Home Assistant from a worker. Throws AppError. */
    async tryHome(home: StoredHome, limits: Limits): Promise<HomeTrialEnd> {
      return homeTrialEndSchema.parse(JSON.parse(await askHome('try-home', home, limits)));
    },

    /** The things in Home Assistant that can be controlled. Null: none is connected. Throws AppError. */
    async things(limits: Limits): Promise<HomeThings | null> {
      const { text } = await send({ what: 'things', engine: 'home', ...limits });
      return homeThingsSchema.nullable().parse(JSON.parse(text));
    },

    /**
     * The Home Assistant area of the first of these devices and things that has one. Null: none has. Throws
     * AppError.
     */
    async area(places: readonly string[], limits: Limits): Promise<string | null> {
      return (await askHome('area', places, limits)) || null;
    },

    /**
     * Reads or changes lists through a worker, which can also reach those of Home Assistant. Throws AppError.
     */
    async lists(request: ListRequest, limits: Limits): Promise<unknown> {
      return JSON.parse(await askHome('lists', request, limits));
    },

    /** Plays a sound through Home Assistant. Throws AppError. */
    async playAtHome(sound: HomeSound, limits: Limits): Promise<HomeSoundEnd> {
      const how = { priority: soundPriority, ...limits };
      return homeSoundEndSchema.parse(await askHome('play-at-home', sound, how));
    },

    /** Stops playback on a speaker of Home Assistant. Throws AppError. */
    async hushAtHome(speaker: HomeSpeaker, limits: Limits): Promise<void> {
      await askHome('hush-at-home', speaker, { priority: soundPriority, ...limits });
    },

    /** Validates routines on a worker. Null: they are valid. */
    async routines(routines: RoutinesToCheck, limits: Limits): Promise<RoutineFault | null> {
      const fault = await askHome('routines', routines, limits);
      return fault === '' ? null : routineFaultSchema.parse(JSON.parse(fault));
    },

    /** Checks a file of own sentences on a worker. Null: Hearth can start with it. Throws AppError. */
    async sentences(draft: SentenceDraft, limits: Limits): Promise<string | null> {
      const fault = await askHome('sentences', draft, limits).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'home_timeout') throw error;
        throw new AppError(
          'turn_timeout',
          'No worker has read the sentences in time. Nothing has been changed. Try again.',
          { cause: error },
        );
      });
      return fault || null;
    },

    /**
     * Undoes the actions of a turn, because the person went on speaking. Only workers reach the house. Throws
     * AppError.
     */
    async undoTurn(turnId: string, limits: Limits): Promise<void> {
      await send({ what: 'take-back', engine: 'home', text: turnId, priority: waitingPriority, ...limits });
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

/** Aborts when no worker is alive any more. */
function lossOf(workers: WorkerRegistry) {
  const lost = new AbortController();
  const timer = setInterval(() => {
    if (workers.noneAlive()) lost.abort();
  }, 500);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
