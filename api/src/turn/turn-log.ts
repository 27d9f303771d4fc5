import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { spanSchema, timingsSchema, turnSources } from './turn.ts';
import { stepOf } from './turn-times.ts';

/** How many of the last turns are kept. */
export const mostTurns = 200;

const log = keys.turns.of();
export const countsKey = keys.turnCounts.of();
export const timesKey = keys.turnTimes.of();
const hourMs = 3_600_000;
const hoursOfDay = 24;

const endSchema = z.object({
  id: z.string(),
  source: z.enum(turnSources),
  room: z.string().nullable(),
  createdAt: z.number(),
  /** The responder that answered; null: none did. */
  via: z.string().nullable(),
  /** `done`, or the code of the error that ended it. */
  outcome: z.string(),
  /** The revision of the settings that it saw. */
  revision: z.number().default(0),
  timings: timingsSchema,
  /** The work on it, and when it was done. */
  spans: z.array(spanSchema).default([]),
  /** Moments, in ms since the turn began: those of a live connection may lie before. */
  marks: z.record(z.string(), z.number()).default({}),
});

/** How a turn went, and where its time was spent. Never its words. */
export type TurnEnd = z.infer<typeof endSchema>;

/** Times of one hour or of all, by source and part. */
export interface TurnTimes {
  source: string;
  part: string;
  steps: Map<number, number>;
  sumMs: number;
}

export type TurnLog = ReturnType<typeof createTurnLog>;

/** How the last turns went, and how long their parts took over the day. */
export function createTurnLog({ redis, now = Date.now }: { redis: Redis; now?: () => number }) {
  const hourKey = (hour: number) => keys.turnTimesOfHour.of(hour);
  const thisHour = () => Math.floor(now() / hourMs);

  return {
    async note(end: TurnEnd): Promise<void> {
      const { source, via, outcome, timings } = end;
      const write = redis.multi();
      write.xadd(log, 'MAXLEN', mostTurns, '*', 'turn', JSON.stringify(end));
      write.hincrby(countsKey, fieldOf(source, via ?? '', outcome), 1);
      // How long a failure took says nothing about how long answers take.
      if (outcome === 'done') {
        const hour = hourKey(thisHour());
        for (const [part, ms] of Object.entries(timings)) {
          for (const key of [timesKey, hour]) write.hincrby(key, fieldOf(source, part, stepOf(ms)), 1);
          write.hincrby(timesKey, fieldOf(source, part, 'sum'), Math.round(ms));
        }
        write.expire(hour, keys.turnTimesOfHour.lastsS);
      }
      await onRedis(redis, () => write.exec());
    },

    /** The last turns, the newest first. */
    async last(): Promise<TurnEnd[]> {
      const entries = await onRedis(redis, () => redis.xrevrange(log, '+', '-', 'COUNT', mostTurns));
      return entries.flatMap(([, [, written = '']]) => {
        const { data } = endSchema.safeParse(parseJson(written));
        return data === undefined ? [] : [data];
      });
    },

    /** The times of the last 24 hours, the newest hour first. */
    async day(): Promise<{ beganAt: number; times: TurnTimes[] }[]> {
      const hours = Array.from({ length: hoursOfDay }, (_, ago) => thisHour() - ago);
      const read = redis.pipeline();
      for (const hour of hours) read.hgetall(hourKey(hour));
      const results = await onRedis(redis, () => read.exec());
      return hours.map((hour, index) => ({
        beganAt: hour * hourMs,
        times: timesOf(results?.[index]?.[1]),
      }));
    },

    /** All times since counting began, and how many turns ended how. */
    async all() {
      const [counts, times] = await onRedis(redis, () =>
        Promise.all([redis.hgetall(countsKey), redis.hgetall(timesKey)]),
      );
      const turns = Object.entries(counts).map(([field, count]) => {
        const [source = '', via = '', outcome = ''] = field.split('|');
        return { source, via, outcome, count: Number(count) };
      });
      return { turns, times: timesOf(times) };
    },
  };
}

function fieldOf(...parts: (string | number)[]): string {
  return parts.join('|');
}

function timesOf(hash: unknown): TurnTimes[] {
  const { data = {} } = z.record(z.string(), z.coerce.number()).safeParse(hash);
  const found = new Map<string, TurnTimes>();
  for (const [field, count] of Object.entries(data)) {
    const [source = '', part = '', step = ''] = field.split('|');
    const key = fieldOf(source, part);
    const times = found.get(key) ?? { source, part, steps: new Map(), sumMs: 0 };
    if (step === 'sum') times.sumMs = count;
    else times.steps.set(Number(step), count);
    found.set(key, times);
  }
  return [...found.values()];
}
