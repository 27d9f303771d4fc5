import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, toAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { patientRedis } from '../turn/redis.ts';
import type { Turn } from '../turn/turn.ts';
import { cancelChannel } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { queuePrefix, respondQueue, turnPayload } from './queues.ts';

interface RunWorkerOptions {
  workerId: string;
  redisUrl: string;
  /** A connection that only subscribes. */
  subscriber: Redis;
  turns: TurnStore;
  /** The stage's work. Its signal fires when the turn is cancelled or its deadline has come. */
  stage: (turn: Turn, signal: AbortSignal) => Promise<void>;
  log: Logger;
}

/** The shell round a stage: takes jobs, skips turns that are over, ends what is cancelled or late, logs, and tells every failure once. */
export function runWorker({ workerId, redisUrl, subscriber, turns, stage, log }: RunWorkerOptions) {
  const running = new Map<string, AbortController>();

  const subscribe = () =>
    subscriber
      .subscribe(cancelChannel)
      .catch((error) => log.error({ err: error }, 'cannot hear of cancelled turns'));
  if (subscriber.status === 'ready') void subscribe();
  subscriber.on('ready', subscribe);
  subscriber.on('message', (channel, turnId) => {
    if (channel === cancelChannel) running.get(turnId)?.abort(new AppError('turn_cancelled'));
  });
  // Without Redis no answer can be delivered or kept, and the caller has been told so.
  subscriber.on('close', () => {
    for (const turn of running.values()) turn.abort(new AppError('redis_unavailable'));
  });

  const work = async (job: Job<unknown>): Promise<void> => {
    const { turnId } = turnPayload.parse(job.data);
    const turn = await turns.read(turnId);
    if (!turn) return;

    // Noted before the turn begins: a caller may hang up in that very moment, and is to be heard.
    const controller = new AbortController();
    running.set(turnId, controller);
    const overdue = setTimeout(
      () => controller.abort(new AppError('turn_timeout')),
      turn.deadlineAt - Date.now(),
    );
    const begunAt = performance.now();
    try {
      if (!(await turns.begin(turn, workerId))) return;
      await stage(turn, controller.signal);
      log.info({ turn: turnId, ms: Math.round(performance.now() - begunAt) }, 'answered');
    } catch (thrown) {
      const error = toAppError(controller.signal.aborted ? controller.signal.reason : thrown);
      await tell(turn, error);
      throw new UnrecoverableError(error.code);
    } finally {
      clearTimeout(overdue);
      running.delete(turnId);
    }
  };

  const tell = async (turn: Turn, error: AppError): Promise<void> => {
    const level = error.code === 'turn_cancelled' ? 'info' : error.code === 'internal' ? 'error' : 'warn';
    log[level]({ turn: turn.id, code: error.code, err: error.cause }, 'not answered');
    await turns.fail(turn, error);
  };

  const worker = new Worker(respondQueue.name, work, {
    connection: { ...patientRedis, url: redisUrl },
    prefix: queuePrefix,
    concurrency: respondQueue.concurrencyPerWorker,
    lockDuration: respondQueue.lockMs,
    stalledInterval: respondQueue.stalledCheckMs,
    runRetryDelay: respondQueue.redisRetryMs,
    drainDelay: respondQueue.blockS,
    maxStalledCount: 0,
  });
  worker.on('error', (error) => log.warn({ err: error }, 'the queue has trouble'));

  return {
    /** Turns in hand. */
    get running(): number {
      return running.size;
    },
    /** Takes nothing new and lets what runs finish, at most so long; what is left then is ended with a word to its caller. */
    async stop(graceMs: number): Promise<void> {
      const late = setTimeout(() => {
        for (const turn of running.values()) turn.abort(new AppError('shutting_down'));
      }, graceMs);
      const giveUp = new Promise((resolve) => setTimeout(resolve, graceMs + 2_000).unref());
      await Promise.race([worker.close(), giveUp]);
      clearTimeout(late);
    },
  };
}
