import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { subscribeToChannel } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { cancelChannel, confirmChannel } from '../turn/turn-events.ts';

interface RunningWorkOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  log: Logger;
  clock?: HouseholdClock;
}

/** One piece of running work. */
export interface Work {
  turnId: string;
  /**
   * Aborts with an AppError: the turn is cancelled, its deadline has passed, or its answer cannot be
   * delivered.
   */
  signal: AbortSignal;
  /** Resolves if the turn is confirmed after the work began. */
  confirmed: Promise<void>;
  /** Sets the deadline in steady time. False: it has passed. */
  endsAt(deadlineAt: number): boolean;
  /** The work is over. */
  end(): void;
}

interface Running extends Work {
  abort(reason: AppError): void;
  confirm(): void;
}

export type RunningWork = ReturnType<typeof createRunningWork>;

/**
 * Tracks the running work of this worker. Cancellation, the deadline, the loss of Redis or a shutdown aborts
 * it.
 */
export function createRunningWork({ subscriber, log, clock = machineClock }: RunningWorkOptions) {
  const running = new Set<Running>();
  const of = (turnId: string) => [...running].filter((work) => work.turnId === turnId);

  const onError = (error: Error) => log.error({ err: error }, 'cannot receive cancellations of turns');
  const subscribe = (channel: string, act: (work: Running) => void) =>
    subscribeToChannel({
      subscriber,
      channel,
      onMessage: (turnId) => {
        for (const work of of(turnId)) act(work);
      },
      onError,
    });
  subscribe(cancelChannel, (work) => work.abort(new AppError('turn_cancelled')));
  subscribe(confirmChannel, (work) => work.confirm());

  const endAll = (code: 'redis_unavailable' | 'shutting_down') => {
    for (const work of running) work.abort(new AppError(code));
  };
  // Without Redis no answer can be delivered or kept. The caller already has the failure.
  subscriber.on('close', () => endAll('redis_unavailable'));

  return {
    /** Registers a piece of work. */
    begin(turnId: string): Work {
      const controller = new AbortController();
      const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
      const abort = (reason: AppError) => controller.abort(reason);
      let overdue: NodeJS.Timeout | undefined;
      const endsAt = (deadlineAt: number) => {
        const leftMs = deadlineAt - clock.steady();
        overdue = setTimeout(() => abort(new AppError('turn_timeout')), Math.max(0, leftMs));
        return leftMs >= 0;
      };
      const end = () => {
        clearTimeout(overdue);
        running.delete(work);
      };
      const work = { turnId, signal: controller.signal, endsAt, confirmed, confirm, abort, end };
      running.add(work);
      return work;
    },
    endAll,
    /** Number of running pieces of work. */
    get count(): number {
      return running.size;
    },
  };
}
