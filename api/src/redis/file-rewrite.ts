import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { keys } from './keys.ts';
import { onRedis } from './redis.ts';

/** Groups deletions, because one is often followed by more. */
const gatherMs = 5_000;
/** Retry delay if another rewrite is running or is recent. */
const retryDelayMs = 30_000;

interface FileRewriteOptions {
  redis: Redis;
  log: Pick<Logger, 'warn' | 'debug'>;
  gatherMs?: number;
  retryDelayMs?: number;
}

export type FileRewrite = ReturnType<typeof createFileRewrite>;

/**
 * Rewrites Redis' append-only file, because deleted data stays on the disk until then. It is expensive, so
 * all processes together run it at most once in three minutes.
 */
export function createFileRewrite({ redis, log, ...times }: FileRewriteOptions) {
  const { gatherMs: firstMs = gatherMs, retryDelayMs: nextMs = retryDelayMs } = times;
  const lately = keys.fileRewrite;
  let timer: NodeJS.Timeout | undefined;
  let isRefused = false;

  const begin = async (): Promise<'begun' | 'later' | 'never'> => {
    // Without an append-only file there is nothing to rewrite.
    const hasFile = /aof_enabled:1/.test(await onRedis(redis, () => redis.info('persistence')));
    if (!hasFile || isRefused) return 'never';
    const isOurs = await onRedis(redis, () => redis.set(lately.of(), '1', 'EX', lately.lastsS, 'NX'));
    if (isOurs !== 'OK') return 'later';
    try {
      await redis.bgrewriteaof();
      return 'begun';
    } catch (error) {
      if (/ERR Background/.test(String(error))) {
        // The running rewrite may have begun before the deletion, so another one is needed.
        await onRedis(redis, () => redis.del(lately.of()));
        return 'later';
      }
      isRefused = true;
      log.warn({ err: error }, 'Redis failed to rewrite its file: deleted data stays in it for now');
      return 'never';
    }
  };
  const later = (ms: number): void => {
    timer ??= setTimeout(async () => {
      timer = undefined;
      const outcome = await begin().catch(() => 'later');
      if (outcome === 'later') later(nextMs);
      else log.debug({ outcome }, 'Redis file rewrite');
    }, ms).unref();
  };

  return {
    /** Call after data was deleted. */
    soon: () => later(firstMs),
    /** For the nightly run, when load does not matter. */
    now: begin,
    stop: () => clearTimeout(timer),
  };
}
