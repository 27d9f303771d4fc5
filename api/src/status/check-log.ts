import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';

/** So many results are looked back on: a month of nights. */
const maxChecks = 30;
const key = keys.checks.of();

export const stepStates = ['ok', 'warning', 'failed', 'skipped'] as const;

const stepSchema = z.object({
  name: z.string(),
  title: z.string(),
  state: z.enum(stepStates),
  tookMs: z.number(),
  /** The median time of the last results; null before there are any. */
  usualMs: z.number().nullable(),
  /** A sentence for people. */
  message: z.string(),
  /** How to mend it; null when there is nothing to do. */
  advice: z.string().nullable(),
});

const checkSchema = z.object({
  id: z.string(),
  /** Unix time in ms. */
  startedAt: z.number(),
  tookMs: z.number(),
  /** Whether nothing failed. */
  ok: z.boolean(),
  summary: z.string(),
  steps: z.array(stepSchema),
});

/** How one step of a check went. */
export type StepResult = z.infer<typeof stepSchema>;

/** How everything was when it was looked at last. */
export type CheckResult = z.infer<typeof checkSchema>;

export type CheckLog = ReturnType<typeof createCheckLog>;

/** The results of the last checks, the newest first. */
export function createCheckLog({ redis }: { redis: Redis }) {
  const read = async (most: number) =>
    (await redis.lrange(key, 0, most - 1)).flatMap((line) => readCheck(line));

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

/** None: another version wrote it, in a form that this one does not know. */
function readCheck(line: string): CheckResult[] {
  const { data } = checkSchema.safeParse(parseJson(line));
  return data === undefined ? [] : [data];
}
