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
import type { ListRequest } from '../lists/list-request.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import {
  type HomeThings,
  type HomeTrialEnd,
  homeThingsSchema,
  homeTrialEndSchema,
  type KeptHome,
} from '../settings/home-connection.ts';
import { type RoutineFault, type RoutinesToCheck, routineFaultSchema } from '../settings/routine-fault.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import { type DictationWish, type TimedTranscript, timedTranscriptSchema } from '../turn/dictation.ts';
import type { SoundPost } from '../turn/sound-post.ts';
import { cancelChannel, type TurnEvent, type TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { toldError } from './follow-turn.ts';
import type { ProbePayload, Queues } from './queues.ts';

interface ProbesOptions {
  apiId: string;
  redis: Redis;
  queues: Queues;
  turns: TurnStore;
  sounds: SoundPost;
  inbox: TurnInbox;
  workers: WorkerRoll;
  clock?: HouseholdClock;
}

interface Limits {
  withinMs: number;
  signal: AbortSignal;
}

interface Probe extends Pick<ProbePayload, 'what' | 'engine'>, Limits {
  priority?: number;
  text?: string;
  sound?: Pcm;
  model?: string | null;
  manner?: ProbePayload['manner'];
}

/** Behind people who wait, before work that nobody waits for. */
const usualPriority = 30;
/** Programs wait for people: also for the later sentences of what somebody hears. */
const programPriority = 80;

/** Somebody counts on being told in time. */
const soundPriority = 5;

/** The queue of a probe: that of the same kind of work. Work that takes no capacity of an engine goes where nothing ever waits long. */
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
} as const;

interface SpokenBy extends Limits, Pick<Probe, 'manner'> {
  by: 'voice' | 'fallback';
}

export type Probes = ReturnType<typeof createProbes>;

/** Work for the engines beside the turns, done by a worker: to prove that they work, and to command them. */
export function createProbes(options: ProbesOptions) {
  const { apiId, redis, queues, turns, sounds, inbox, workers, clock = machineClock } = options;

  const add = (payload: ProbePayload, priority: number): Promise<unknown> => {
    const job = { jobId: payload.probeId, priority };
    switch (queueOf[payload.what]) {
      case 'transcribe':
        return queues.transcribe.add('probe', payload, job);
      case 'speak':
        return queues.speak.add('probe', payload, job);
      case 'respond':
        return queues.respond.add('probe', payload, job);
    }
  };

  /** Nobody waits for this probe any more: it must not begin, and must end if it has. */
  const recall = ({ probeId, what }: ProbePayload): void => {
    const ended = [
      queues[queueOf[what]].remove(probeId),
      redis.publish(channelOn(redis, cancelChannel), probeId),
    ];
    for (const each of ended) Promise.resolve(each).catch(() => undefined);
  };

  /** Resolves when it is done. Rejects with an AppError, `<engine>_timeout` when nothing came in time. */
  const send = async (probe: Probe) => {
    const { what, engine, text, sound, model = null, manner, withinMs, signal } = probe;
    const { priority = usualPriority } = probe;
    if (!inbox.ready) throw new AppError('redis_unavailable');
    if (workers.noneAlive()) throw new AppError('worker_unavailable');
    const probeId = randomUUID();
    if (sound) sounds.keep(probeId, sound);
    const box = sounds.open(probeId);
    const deadlineAt = Math.round(clock.steady() + withinMs);
    const payload = { probeId, what, engine, model, replyTo: apiId, deadlineAt, ...(manner && { manner }) };
    const lost = lossOf(workers);
    const notSent = new AbortController();
    const either = AbortSignal.any([signal, lost.signal, notSent.signal]);
    const told = inbox
      .once(probeId, { withinMs, signal: either })
      .then((event) => ({ event, spoken: box.take(0) }))
      .finally(() => {
        lost.stop();
        sounds.forget(probeId);
        // It may hold a secret, and nobody reads it again.
        if (text !== undefined) turns.forgetSentence(probeId).catch(() => undefined);
        box.close();
      });
    // Over one connection, in this order: whoever takes the job finds its text.
    sounds.sendAhead(probeId);
    const saved = text === undefined ? undefined : turns.saveSentence(probeId, text);
    await Promise.all([saved, onRedis(redis, () => add(payload, priority))]).catch((error: unknown) => {
      // Nothing will come: what is kept for it is given up at once.
      notSent.abort();
      throw error;
    });
    const { event, spoken } = await told;
    if (event?.type === 'probe') return { spoken, tookMs: event.tookMs, text: event.text };
    if (event === null) recall(payload);
    throw failureOf(engine, event, lost.signal);
  };

  const failureOf = (engine: Probe['engine'], event: TurnEvent | null, lost: AbortSignal): AppError => {
    // A probe is no turn: it was the engine that took too long.
    if (event?.type === 'failed' && event.error.code !== 'turn_timeout') return toldError(event.error);
    if (lost.aborted) return new AppError('worker_unavailable');
    return new AppError(redis.status === 'ready' ? `${engine}_timeout` : 'redis_unavailable');
  };

  return {
    /** Has the speech recognition transcribe a sound. */
    hear: async (sound: Pcm, limits: Limits) => send({ what: 'hear', engine: 'stt', sound, ...limits }),

    /** Has a sentence spoken by the voice or by the fallback voice. Neither stands in for the other. */
    async speak(text: string, { by, ...limits }: SpokenBy) {
      const what = by === 'voice' ? 'speak' : 'speak-fallback';
      const { spoken, tookMs } = await send({ what, engine: 'tts', text, ...limits });
      return { tookMs, sound: spoken };
    },

    /** Has a recording of half a minute at most written down for a program. Rejects with an AppError. */
    async writeDown(sound: Pcm, wish: DictationWish, limits: Limits): Promise<TimedTranscript> {
      const text = JSON.stringify(wish);
      const asked = { what: 'write-down', engine: 'stt', sound, text, priority: programPriority } as const;
      return timedTranscriptSchema.parse(JSON.parse((await send({ ...asked, ...limits })).text));
    },

    /**
     * Has a sentence spoken for a program, by the fallback voice where no other can. Null: there is nothing in it to say, or no voice could.
     */
    async say(
      text: string,
      manner: NonNullable<ProbePayload['manner']>,
      limits: Limits,
    ): Promise<Pcm | null> {
      const how = { what: 'say', engine: 'tts', text, manner, priority: programPriority } as const;
      return (await send({ ...how, ...limits })).spoken;
    },

    /** Has the servers of an engine take a model into memory, or out of it. */
    async command(command: { what: 'load' | 'unload'; engine: EngineName; model: string | null } & Limits) {
      const { tookMs } = await send(command);
      return { tookMs };
    },

    /** Asks Home Assistant for the house. Throws AppError if it does not answer as it should. */
    async home(limits: Limits): Promise<void> {
      await send({ what: 'home', engine: 'home', ...limits });
    },

    /** Has a worker try whether a Home Assistant can be used. Throws AppError. */
    async tryHome(home: KeptHome, limits: Limits): Promise<HomeTrialEnd> {
      const text = JSON.stringify(home);
      const told = await send({ what: 'try-home', engine: 'home', text, ...limits });
      return homeTrialEndSchema.parse(JSON.parse(told.text));
    },

    /** What of Home Assistant can be commanded; null: none is connected. Throws AppError. */
    async things(limits: Limits): Promise<HomeThings | null> {
      const { text } = await send({ what: 'things', engine: 'home', ...limits });
      return homeThingsSchema.nullable().parse(JSON.parse(text));
    },

    /** The area of Home Assistant in which the first of these devices and things is that has one; null: none has. Throws AppError. */
    async area(places: readonly string[], limits: Limits): Promise<string | null> {
      const text = JSON.stringify(places);
      return (await send({ what: 'area', engine: 'home', text, ...limits })).text || null;
    },

    /** Has a worker, which reaches those of Home Assistant too, see or change the lists. Throws AppError. */
    async lists(request: ListRequest, limits: Limits): Promise<unknown> {
      const text = JSON.stringify(request);
      return JSON.parse((await send({ what: 'lists', engine: 'home', text, ...limits })).text);
    },

    /** Has Home Assistant play a sound. Throws AppError. */
    async playAtHome(sound: HomeSound, limits: Limits): Promise<HomeSoundEnd> {
      const text = JSON.stringify(sound);
      const told = await send({
        what: 'play-at-home',
        engine: 'home',
        text,
        priority: soundPriority,
        ...limits,
      });
      return homeSoundEndSchema.parse(told.text);
    },

    /** Has Home Assistant end what plays on a speaker. Throws AppError. */
    async hushAtHome(speaker: HomeSpeaker, limits: Limits): Promise<void> {
      const text = JSON.stringify(speaker);
      await send({ what: 'hush-at-home', engine: 'home', text, priority: soundPriority, ...limits });
    },

    /** Has a worker see whether routines can be carried out. Null: nothing is wrong with them. */
    async routines(routines: RoutinesToCheck, limits: Limits): Promise<RoutineFault | null> {
      const text = JSON.stringify(routines);
      const told = await send({ what: 'routines', engine: 'home', text, ...limits });
      return told.text === '' ? null : routineFaultSchema.parse(JSON.parse(told.text));
    },

    /** How many jobs wait for an engine, and how many are in hand. */
    async queued(engine: EngineName): Promise<{ waiting: number; running: number }> {
      const queue = queues[({ stt: 'transcribe', llm: 'think', tts: 'speak' } as const)[engine]];
      const counts = await onRedis(redis, () => queue.getJobCounts('waiting', 'prioritized', 'active'));
      const { waiting = 0, prioritized = 0, active = 0 } = counts;
      return { waiting: waiting + prioritized, running: active };
    },
  };
}

/** Fires when no worker is left who could do it. */
function lossOf(workers: WorkerRoll) {
  const lost = new AbortController();
  const timer = setInterval(() => {
    if (workers.noneAlive()) lost.abort();
  }, 500);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
