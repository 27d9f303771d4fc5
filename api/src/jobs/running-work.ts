import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { hearChannel } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { cancelChannel, confirmChannel } from '../turn/turn-events.ts';

interface RunningWorkOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  log: Logger;
  clock?: HouseholdClock;
}

/** A piece of work in hand. */
export interface Work {
  turnId: string;
  /** Fires with an AppError when the turn is cancelled, its deadline has come, or its answer can no longer be delivered. */
  signal: AbortSignal;
  /** Resolves when the turn has been confirmed from now on. */
  confirmed: Promise<void>;
  /** Ends it at this time of the household's steady clock. False: that has passed. */
  endsAt(deadlineAt: number): boolean;
  /** The work is over. */
  end(): void;
}

interface Running extends Work {
  abort(reason: AppError): void;
  confirm(): void;
}

export type RunningWork = ReturnType<typeof createRunningWork>;

/** The work that this worker has in hand. Its caller, its deadline, the loss of Redis or the end of the worker ends it. */
export function createRunningWork({ subscriber, log, clock = machineClock }: RunningWorkOptions) {
  const running = new Set<Running>();
  const of = (turnId: string) => [...running].filter((work) => work.turnId === turnId);

  const onError = (error: Error) => log.error({ err: error }, 'cannot hear of cancelled turns');
  const hear = (channel: string, tell: (work: Running) => void) =>
    hearChannel({
      subscriber,
      channel,
      onMessage: (turnId) => {
        for (const work of of(turnId)) tell(work);
      },
      onError,
    });
  hear(cancelChannel, (work) => work.abort(new AppError('turn_cancelled')));
  hear(confirmChannel, (work) => work.confirm());

  const endAll = (code: 'redis_unavailable' | 'shutting_down') => {
    for (const work of running) work.abort(new AppError(code));
  };
  // Without Redis no answer can be delivered or kept. The caller has been told so.
  subscriber.on('close', () => endAll('redis_unavailable'));

  return {
    /** A piece of work is in hand from now on. */
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
    /** Pieces of work in hand. */
    get count(): number {
      return running.size;
    },
  };
}
