import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';

/** Number of results to keep: a month of nights. */
const maxChecks = 30;
const key = keys.checks.of();

const stepStates = ['ok', 'warning', 'failed', 'skipped'] as const;

const stepSchema = z.object({
  name: z.string(),
  title: z.string(),
  state: z.enum(stepStates),
  tookMs: z.number(),
  /** The median duration of the last results. Null before there are any. */
  usualMs: z.number().nullable(),
  /** A sentence for people. */
  message: z.string(),
  /** How to fix it. Null: nothing to do. */
  advice: z.string().nullable(),
});

const checkSchema = z.object({
  id: z.string(),
  /** Unix time in ms. */
  startedAt: z.number(),
  tookMs: z.number(),
  /** Whether no step failed. */
  ok: z.boolean(),
  summary: z.string(),
  steps: z.array(stepSchema),
});

/** The result of one step of a check. */
export type StepResult = z.infer<typeof stepSchema>;

/** The result of a whole check. */
export type CheckResult = z.infer<typeof checkSchema>;

export type CheckLog = ReturnType<typeof createCheckLog>;

/** The results of the last checks, newest first. */
export function createCheckLog({ redis }: { redis: Redis }) {
  const read = async (count: number) =>
    (await redis.lrange(key, 0, count - 1)).flatMap((line) => readCheck(line));

  return {
    async keep(result: CheckResult): Promise<void> {
      await redis
        .multi()
        .lpush(key, JSON.stringify(result))
        .ltrim(key, 0, maxChecks - 1)
        .exec();
    },
    all: () => read(maxChecks),
    last: async (): Promise<CheckResult | undefined> => (await read(1))[0],
  };
}

/** Returns an empty list if another version wrote it in an unknown format. */
function readCheck(line: string): CheckResult[] {
  const { data } = checkSchema.safeParse(parseJson(line));
  return data === undefined ? [] : [data];
}
