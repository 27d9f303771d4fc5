import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import type { CallPayload, Queues } from '../jobs/queues.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { cancelChannel, type TurnEvent, type TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { errorFromEvent } from './follow-turn.ts';

export interface CallSenderOptions {
  apiId: string;
  redis: Redis;
  queues: Queues;
  turns: TurnStore;
  sounds: SoundTransport;
  inbox: TurnInbox;
  workers: WorkerRegistry;
  clock?: HouseholdClock;
}

export interface CallLimits {
  withinMs: number;
  signal: AbortSignal;
}

export interface WorkerCall extends Pick<CallPayload, 'what' | 'engine'>, CallLimits {
  priority?: number;
  text?: string;
  sound?: Pcm;
  model?: string | null;
  manner?: CallPayload['manner'];
}

/** Default priority of a call: below people who wait, above background work. */
const usualPriority = 30;

/**
 * Queue for each kind of call. Work that uses no engine capacity goes to `respond`, which never has long
 * waits.
 */
const queueOf = {
  hear: 'transcribe',
  speak: 'speak',
  'speak-fallback': 'respond',
  transcribe: 'transcribe',
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

export type CallSender = ReturnType<typeof createCallSender>;

/** Sends calls to the workers, and waits for their results. */
export function createCallSender(options: CallSenderOptions) {
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

/** Aborts when no worker is alive any more. */
function lossOf(workers: WorkerRegistry) {
  const lost = new AbortController();
  const timer = setInterval(() => {
    if (workers.noneAlive()) lost.abort();
  }, 500);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
