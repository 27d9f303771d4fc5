import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { keys } from './keys.ts';
import { onRedis } from './redis.ts';

/** Who forgets one thing often forgets another soon. */
const gatherMs = 5_000;
/** While another rewrite runs, or was made lately, ask again after this. */
const againMs = 30_000;

interface FileRewriteOptions {
  redis: Redis;
  log: Pick<Logger, 'warn' | 'debug'>;
  gatherMs?: number;
  againMs?: number;
}

export type FileRewrite = ReturnType<typeof createFileRewrite>;

/**
 * Has Redis write its file anew from what it still knows: only then is gone from the disk what was forgotten. At most once in three minutes by all
 * processes together, for it is work.
 */
export function createFileRewrite({ redis, log, ...times }: FileRewriteOptions) {
  const { gatherMs: firstMs = gatherMs, againMs: nextMs = againMs } = times;
  const lately = keys.fileRewrite;
  let timer: NodeJS.Timeout | undefined;
  let isRefused = false;

  const begin = async (): Promise<'begun' | 'later' | 'never'> => {
    // Without such a file nothing is kept in one.
    const hasFile = /aof_enabled:1/.test(await onRedis(redis, () => redis.info('persistence')));
    if (!hasFile || isRefused) return 'never';
    const isOurs = await onRedis(redis, () => redis.set(lately.of(), '1', 'EX', lately.lastsS, 'NX'));
    if (isOurs !== 'OK') return 'later';
    try {
      await redis.bgrewriteaof();
      return 'begun';
    } catch (error) {
      if (/ERR Background/.test(String(error))) {
        // Another one runs, which may have begun before something was forgotten: this one is still to come.
        await onRedis(redis, () => redis.del(lately.of()));
        return 'later';
      }
      isRefused = true;
      log.warn({ err: error }, 'Redis does not write its file anew: what was forgotten stays in it for now');
      return 'never';
    }
  };
  const later = (ms: number): void => {
    timer ??= setTimeout(async () => {
      timer = undefined;
      const outcome = await begin().catch(() => 'later');
      if (outcome === 'later') later(nextMs);
      else log.debug({ outcome }, 'the file of Redis');
    }, ms).unref();
  };

  return {
    /** Something was forgotten. */
    soon: () => later(firstMs),
    /** At night, when nobody minds the work. */
    now: begin,
    stop: () => clearTimeout(timer),
  };
}
