import type { Redis } from 'ioredis';
import { AppError, isErrorCode } from '../errors.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import { onRedis } from '../turn/redis.ts';
import type { Reply, Turn } from '../turn/turn.ts';
import { cancelChannel, type TurnEvent, type TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { type RespondQueue, respondQueue } from './queues.ts';

/** Nobody waits longer than this for an answer. */
const mostTurnMs = 60_000;
/** The worker ends an overdue turn itself; this long after we stop waiting for its word. */
const deadlineGraceMs = 1_000;
/** How often a waiting turn looks whether somebody is still working on it. */
const watchEveryMs = 500;

export interface NewTurn extends Pick<Turn, 'id' | 'source' | 'text' | 'conversation' | 'room'> {
  /** Called with the words of the reply as they are written. When some are lost on the way it is not called again; the reply has them all. */
  onWords?: (words: string, via: string) => void;
}

export interface PendingTurn {
  /** Rejects with an AppError. */
  reply: Promise<Reply>;
  /** Ends the work everywhere: nobody wants the answer any more. `reply` rejects with `turn_cancelled`. */
  cancel(): void;
}

interface ChainOptions {
  apiId: string;
  redis: Redis;
  queue: RespondQueue;
  turns: TurnStore;
  inbox: TurnInbox;
  workers: WorkerRoll;
  turnDeadlineMs?: number | undefined;
}

export type Chain = ReturnType<typeof createChain>;

/** What follows what. The only file that adds jobs. */
export function createChain(options: ChainOptions) {
  const { apiId, redis, queue, turns, inbox, workers, turnDeadlineMs = mostTurnMs } = options;

  /** Waits for the end of a turn, however it comes: told, lost with its worker or with Redis, or overdue. */
  const follow = (turn: Turn, onWords: NewTurn['onWords']) => {
    const begunAt = performance.now();
    let queueMs: number | undefined;
    let owner: string | undefined;
    let nextSeq = 0;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();

    const hear = (event: TurnEvent) => {
      if (event.type === 'started') {
        owner = event.workerId;
        queueMs = performance.now() - begunAt;
      } else if (event.type === 'delta') {
        if (event.seq === nextSeq) {
          nextSeq += 1;
          onWords?.(event.text, event.via);
        }
      } else if (event.type === 'done') resolve(event.reply);
      else reject(toldError(event.error));
    };
    const watch = async () => {
      if (Date.now() > turn.deadlineAt + deadlineGraceMs) {
        const reply = await turns.readReply(turn.id).catch(() => undefined);
        return reply ? resolve(reply) : reject(new AppError('turn_timeout'));
      }
      const isLost = owner === undefined ? workers.noneAlive() : workers.isGone(owner);
      if (isLost) reject(new AppError('worker_unavailable'));
    };

    const stopListening = inbox.listen(turn.id, {
      onEvent: hear,
      onLost: () => reject(new AppError('redis_unavailable')),
    });
    const timer = setInterval(() => void watch(), watchEveryMs);
    const reply = promise
      .then((told) => {
        const total = performance.now() - begunAt;
        return { ...told, timings: { queue: queueMs ?? 0, ...told.timings, total } };
      })
      .finally(() => {
        stopListening();
        clearInterval(timer);
      });
    // Whoever awaits the reply hears of its failure; until somebody does it must not count as unhandled.
    reply.catch(() => undefined);
    return { reply, giveUp: reject };
  };

  const cancel = async (turn: Turn): Promise<void> => {
    if (!(await turns.cancel(turn))) return;
    await onRedis(redis, () => Promise.all([queue.remove(turn.id), redis.publish(cancelChannel, turn.id)]));
  };

  return {
    /** Takes a question in hand. Throws AppError when it cannot be: Redis is away, no worker lives, too many wait. */
    async startTurn({ onWords, ...asked }: NewTurn): Promise<PendingTurn> {
      if (!inbox.ready) throw new AppError('redis_unavailable');
      if (workers.noneAlive()) throw new AppError('worker_unavailable');
      const createdAt = Date.now();
      const turn: Turn = {
        ...asked,
        createdAt,
        deadlineAt: createdAt + turnDeadlineMs,
        replyTo: apiId,
        streams: onWords !== undefined,
      };

      if (!(await turns.admit(turn, respondQueue.mostWaiting))) throw new AppError('overloaded');
      const { reply, giveUp } = follow(turn, onWords);
      const job = { jobId: turn.id, priority: respondQueue.priority };
      await onRedis(redis, () => queue.add(turn.source, { turnId: turn.id }, job)).catch(giveUp);
      // A turn that nobody waits for any more, for lack of a worker or of Redis, must not be answered later.
      reply.catch(() => cancel(turn).catch(() => undefined));
      return { reply, cancel: () => giveUp(new AppError('turn_cancelled')) };
    },

    /** Turns that somebody waits for at this process. */
    get open(): number {
      return inbox.open;
    },
  };
}

function toldError({
  code,
  message,
  retryAfterS,
}: {
  code: string;
  message: string;
  retryAfterS?: number | undefined;
}) {
  const options = retryAfterS === undefined ? {} : { retryAfterS };
  return isErrorCode(code) ? new AppError(code, message, options) : new AppError('internal');
}
