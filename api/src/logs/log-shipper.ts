import type { Redis } from 'ioredis';
import { bounded, logStream, maxLines } from './log-line.ts';

/** So much may wait while Redis is away; then the oldest lines go. */
const maxWaiting = 1_000;
/** Lines that come within so long travel together. */
const gatherMs = 50;
const maxAtOnce = 200;
/** Redis is asked no more often than this while it does not take anything. */
const againMs = 1_000;

interface ShipperOptions {
  /** A connection of its own, on which nothing else waits, and whose trouble is not logged: the log would tell of itself for ever. */
  redis: Redis;
  /** A line that tells how many were lost. */
  lossLine: (lost: number) => string;
}

export type LogShipper = ReturnType<typeof createLogShipper>;

/** Brings log lines to Redis, where every process's are. Whoever logs never waits for it, and nothing that happens to it is felt by anybody. */
export function createLogShipper({ redis, lossLine }: ShipperOptions) {
  let waiting: string[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  const makeRoom = () => {
    const over = waiting.length - maxWaiting;
    if (over <= 0) return;
    waiting.splice(0, over);
    lost += over;
  };
  const later = (ms: number) => {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      sending ??= send().finally(() => {
        sending = undefined;
      });
    }, ms).unref();
  };
  const take = async (lines: readonly string[]): Promise<boolean> => {
    if (redis.status !== 'ready') return false;
    const pipeline = redis.pipeline();
    for (const line of lines) pipeline.xadd(logStream, 'MAXLEN', '~', maxLines, '*', 'line', line);
    try {
      const results = await pipeline.exec();
      return results?.every(([error]) => error === null) ?? false;
    } catch {
      return false; // the connection broke; the main one's trouble is told by those who use it
    }
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = [...(lost > 0 ? [lossLine(lost)] : []), ...waiting.slice(0, maxAtOnce)];
      const told = lost;
      const count = Math.min(waiting.length, maxAtOnce);
      const batch = waiting.splice(0, count);
      if (!(await take(lines))) {
        // Lines of which Redis took some are told twice: better than not at all.
        waiting = [...batch, ...waiting];
        makeRoom();
        later(againMs);
        return;
      }
      lost -= told;
    }
  };

  return {
    push(line: string): void {
      if (isClosed) return;
      waiting.push(bounded(line.trimEnd()));
      makeRoom();
      later(gatherMs);
    },
    /** The process ends: what waits is sent, if that goes quickly. */
    async close(): Promise<void> {
      if (isClosed) return;
      clearTimeout(timer);
      await Promise.race([
        (async () => {
          await sending;
          await send();
        })(),
        new Promise((resolve) => setTimeout(resolve, 500).unref()),
      ]);
      isClosed = true;
      clearTimeout(timer);
      redis.disconnect();
    },
  };
}
