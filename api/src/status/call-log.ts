import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import type { EngineName } from './engine-status.ts';

/** Number of recent calls and failures to keep for each engine. */
const maxCalls = 200;
const maxErrors = 20;
const errorSchema = z.object({ at: z.number(), url: z.string(), message: z.string() });

/** A failed call: its time, the server, and a short reason in our own words. */
type CallError = z.infer<typeof errorSchema>;

interface CallStats {
  /** Duration of the last successful calls, in ms. */
  tookMs: number[];
  /** Newest first. */
  errors: CallError[];
}

export type CallLog = ReturnType<typeof createCallLog>;

/** Results of the last calls of each engine, from all workers. Never their content. */
export function createCallLog({ redis }: { redis: Redis }) {
  const notSaved = createUnsaved(redis);
  const push = (key: string, entry: string | number, maxEntries: number): void => {
    // Fire and forget, because a missing entry does no harm.
    notSaved.push(key, entry, { maxEntries, seconds: keys.calls.lastsS }).catch(() => undefined);
  };

  return {
    worked: (engine: EngineName, tookMs: number) => push(timesKey(engine), Math.round(tookMs), maxCalls),
    failed: (engine: EngineName, { url, message }: Pick<CallError, 'url' | 'message'>) =>
      push(
        errorsKey(engine),
        JSON.stringify({ at: Date.now(), url, message } satisfies CallError),
        maxErrors,
      ),

    async read(engine: EngineName): Promise<CallStats> {
      const [times, errors] = await Promise.all([
        redis.lrange(timesKey(engine), 0, maxCalls - 1),
        redis.lrange(errorsKey(engine), 0, maxErrors - 1),
      ]);
      return {
        tookMs: times.map(Number),
        errors: errors.flatMap((line) => errorSchema.safeParse(parseJson(line)).data ?? []),
      };
    },
  };
}

/** The percentile of the numbers for this share. Null if there are none. */
export function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

function timesKey(engine: EngineName): string {
  return keys.calls.of(engine);
}

function errorsKey(engine: EngineName): string {
  return keys.callErrors.of(engine);
}
