import type { Worker } from 'bullmq';
import type { Redis, Result } from 'ioredis';
import type { Logger } from '../log.ts';
import { unsaved } from '../redis/unsaved.ts';
import { presencePrefix } from '../status/worker-presence.ts';

const pollIntervalMs = 250;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    releaseLostJobs(...args: string[]): Result<number, Context>;
  }
}

/**
 * Releases the jobs of dead workers: deletes their locks and marks them as stalled. BullMQ's next check then
 * moves them.
 * Returns their number. KEYS of a queue: active, stalled, stalled-check. ARGV: prefix of its job keys, prefix
 * of worker channels, ms.
 *
 * Also deletes BullMQ's stalled-check key this many ms before it expires. Redis persists every expiry, even
 * of a key that was never persisted. This key expires every two seconds in each queue.
 */
const releaseScript = `${unsaved}
local isThere, released = {}, 0
for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local job = ARGV[1] .. id
  local worker = redis.call('HGET', job, 'pb')
  if worker then
    if isThere[worker] == nil then
      isThere[worker] = redis.call('PUBSUB', 'NUMSUB', ARGV[2] .. worker)[2] > 0
    end
    if not isThere[worker] then
      redis.call('DEL', job .. ':lock')
      redis.call('SADD', KEYS[2], id)
      released = released + 1
    end
  end
end
local left = redis.call('PTTL', KEYS[3])
if released > 0 or (left >= 0 and left < tonumber(ARGV[3])) then redis.call('DEL', KEYS[3]) end
return released`;

interface LostJobsOptions {
  redis: Redis;
  workers: readonly Worker[];
  log: Logger;
}

/**
 * Releases the jobs of dead workers soon after their end. Until then they occupy the engines and delay
 * others. BullMQ itself would wait for the locks to expire.
 */
export function watchLostJobs({ redis, workers, log }: LostJobsOptions) {
  redis.defineCommand('releaseLostJobs', { numberOfKeys: 3, lua: releaseScript });

  const release = async (worker: Worker): Promise<void> => {
    const keys = ['active', 'stalled', 'stalled-check'].map((key) => worker.toKey(key));
    const jobs = await redis.releaseLostJobs(
      ...[...keys, worker.toKey(''), presencePrefix, String(2 * pollIntervalMs)],
    );
    if (jobs === 0) return;
    log.info({ queue: worker.name, jobs }, 'returned the jobs of a dead worker to their queue');
    await worker.startStalledCheckTimer(); // checks at once
  };
  const releaseAll = () => {
    if (redis.status !== 'ready') return;
    // On failure, BullMQ's own check still finds the jobs.
    for (const worker of workers) release(worker).catch(() => undefined);
  };
  const timer = setInterval(releaseAll, pollIntervalMs).unref();

  return {
    releaseAll,
    stop: () => clearInterval(timer),
  };
}
