import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Redis, Result } from 'ioredis';
import { AppError } from '../errors.ts';
import { queueRules } from '../jobs/queues.ts';
import { onRedis } from '../redis/redis.ts';
import { releaseInBackground } from '../redis/release-in-background.ts';
import { unsaved } from '../redis/unsaved.ts';
import type { Turn } from '../turn/turn.ts';
import { eventsChannel, type TurnEvent } from '../turn/turn-events.ts';
import { turnKey, waitingPlaces } from '../turn/turn-store.ts';

/**
 * Maximum number of questions that one worker answers outside the queue. More would displace questions
 * without a model.
 */
const maxHere = 32;
const renewEveryMs = queueRules.lockMs / 2;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeThinkSlot(...args: (string | number)[]): Result<number, Context>;
    renewThinkSlot(lock: string, token: string, ms: number): Result<number, Context>;
    releaseThinkSlot(...args: string[]): Result<number, Context>;
  }
}

/**
 * Takes a slot of the model if it has one and no turn waits. The slot is a fake active job, so that the queue
 * counts it and releases it if the worker dies. Another worker that gets the job finds the turn held by a
 * different one.
 *
 * KEYS: turn, three queues of waiting turns; of the BullMQ queue: meta, active, wait, prioritized, the job,
 * its lock. ARGV: id, worker, lock token and ms, time, channel, events. Returns 0 if there is no slot, 2 if
 * the turn is over.
 */
const takeScript = `${unsaved}
if redis.call('HGET', KEYS[1], 'state') ~= 'responding' then return 2 end
local paused, most = unpack(redis.call('HMGET', KEYS[5], 'paused', 'concurrency'))
if paused or not most or redis.call('LLEN', KEYS[6]) >= tonumber(most) then return 0 end
if redis.call('LLEN', KEYS[7]) + redis.call('ZCARD', KEYS[8]) > 0 or redis.call('EXISTS', KEYS[9]) == 1 then return 0 end
redis.call('LPUSH', KEYS[6], ARGV[1])
redis.call('HSET', KEYS[9], 'name', 'here', 'data', cjson.encode({ turnId = ARGV[1] }), 'opts', '{"removeOnComplete":true,"removeOnFail":true}',
  'timestamp', ARGV[5], 'delay', 0, 'priority', 0, 'processedOn', ARGV[5], 'ats', 1, 'pb', ARGV[2])
redis.call('SET', KEYS[10], ARGV[3], 'PX', ARGV[4])
for i = 2, 4 do redis.call('ZREM', KEYS[i], ARGV[1]) end
redis.call('HSET', KEYS[1], 'state', 'thinking', 'worker', 'here ' .. ARGV[2])
for i = 7, #ARGV do redis.call('PUBLISH', ARGV[6], ARGV[i]) end
return 1`;

/** KEYS: lock. ARGV: its token, ms. */
const renewScript = `${unsaved}
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`;

/**
 * Wakes a worker that waits for a slot. KEYS: active, job, lock, stalled, wait, prioritized, marker. ARGV:
 * id.
 */
const releaseScript = `${unsaved}
if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('SREM', KEYS[4], ARGV[1])
if redis.call('LLEN', KEYS[5]) + redis.call('ZCARD', KEYS[6]) > 0 then redis.call('ZADD', KEYS[7], 0, '0') end
return 1`;

interface ThinkSlotsOptions {
  redis: Redis;
  queue: Pick<Queue, 'toKey'>;
  workerId: string;
}

export type ThinkSlots = ReturnType<typeof createThinkSlots>;

/** Slots of the language model for turns that continue on the same worker, without a queued job. */
export function createThinkSlots({ redis, queue, workerId }: ThinkSlotsOptions) {
  redis.defineCommand('takeThinkSlot', { numberOfKeys: 10, lua: takeScript });
  redis.defineCommand('renewThinkSlot', { numberOfKeys: 1, lua: renewScript });
  redis.defineCommand('releaseThinkSlot', { numberOfKeys: 7, lua: releaseScript });
  const keysOf = (...names: string[]) => names.map((name) => queue.toKey(name));
  let here = 0;

  const hold = (id: string, token: string) => {
    const lock = queue.toKey(`${id}:lock`);
    const renew = () => {
      redis.renewThinkSlot(lock, token, queueRules.lockMs).catch(() => undefined);
    };
    const timer = setInterval(renew, renewEveryMs);
    const names = keysOf('active', id, `${id}:lock`, 'stalled', 'wait', 'prioritized', 'marker');
    return {
      /**
       * Releases the slot in the background. If Redis is unavailable, the slot is free once its lock expires.
       */
      release(): void {
        clearInterval(timer);
        here -= 1;
        void releaseInBackground(
          () => onRedis(redis, () => redis.releaseThinkSlot(...names, id)),
          queueRules.lockMs,
        );
      },
    };
  };

  return {
    /** Takes a slot for this turn. Null: it has to wait in the queue. Throws AppError if the turn is over. */
    async take({ id, replyTo }: Turn) {
      if (here >= maxHere) return null;
      const token = randomUUID();
      const events: TurnEvent[] = [
        { type: 'waits', turnId: id },
        { type: 'started', turnId: id, stage: 'think', workerId },
      ];
      const names = [
        turnKey(id),
        ...waitingPlaces,
        ...keysOf('meta', 'active', 'wait', 'prioritized', id, `${id}:lock`),
      ];
      const args = [id, workerId, token, queueRules.lockMs, Date.now(), eventsChannel(replyTo)];
      const news = events.map((event) => JSON.stringify(event));
      const taken = await onRedis(redis, () => redis.takeThinkSlot(...names, ...args, ...news));
      if (taken === 2) throw new AppError('turn_cancelled');
      if (taken === 0) return null;
      here += 1;
      return hold(id, token);
    },
  };
}
