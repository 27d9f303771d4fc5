import type { Redis } from 'ioredis';
import { bounded, logStream, maxLines } from './log-line.ts';

/** Maximum backlog while Redis is unavailable. Beyond it, the oldest lines are dropped. */
const maxWaiting = 1_000;
/** Lines within this time are sent together. */
const gatherMs = 50;
const maxAtOnce = 200;
/** Delay before retrying after a failure. */
const retryDelayMs = 1_000;

interface ShipperOptions {
  /**
   * A separate connection without error logging, because the log would otherwise report on itself forever.
   */
  redis: Redis;
  /** Builds a line about the number of lost lines. */
  lossLine: (lost: number) => string;
}

/** Sends log lines to Redis. Logging never waits for it, and its failures are ignored. */
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
      return false; // the connection was lost; users of the main connection report it
    }
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = [...(lost > 0 ? [lossLine(lost)] : []), ...waiting.slice(0, maxAtOnce)];
      const reportedLost = lost;
      const count = Math.min(waiting.length, maxAtOnce);
      const batch = waiting.splice(0, count);
      if (!(await take(lines))) {
        // If Redis has accepted only some of the lines, those are sent twice, which is better than losing
        // lines.
        waiting = [...batch, ...waiting];
        makeRoom();
        later(retryDelayMs);
        return;
      }
      lost -= reportedLost;
    }
  };

  return {
    push(line: string): void {
      if (isClosed) return;
      waiting.push(bounded(line.trimEnd()));
      makeRoom();
      later(gatherMs);
    },
    /** At shutdown, sends the backlog within a short time limit. */
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
