import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { ranOnSchema, spanSchema, type Timings, timingsSchema, turnSources } from './turn.ts';
import { stepOf } from './turn-times.ts';

/** Number of recent turns to keep. */
const maxTurns = 200;

const log = keys.turns.of();
const countsKey = keys.turnCounts.of();
const timesKey = keys.turnTimes.of();
const hourMs = 3_600_000;
const hoursOfDay = 24;

const endSchema = z.object({
  id: z.string(),
  source: z.enum(turnSources),
  room: z.string().nullable(),
  createdAt: z.number(),
  /** The responder that answered. Null: none did. */
  via: z.string().nullable(),
  /** `done`, or the code of the error that ended it. */
  outcome: z.string(),
  /** The revision of the settings that it used. */
  revision: z.number().default(0),
  timings: timingsSchema,
  /** The stages of the turn, with their times. */
  spans: z.array(spanSchema).default([]),
  /** The servers that ran its parts. */
  ranOn: z.array(ranOnSchema).default([]),
  /** Moments in ms since the turn began. They may be negative for a live connection. */
  marks: z.record(z.string(), z.number()).default({}),
});

/** Outcome and timings of a turn. Never contains its words. */
export type TurnEnd = z.infer<typeof endSchema>;

/** Timings of one hour or of all time, by source and part. */
export interface TurnTimes {
  source: string;
  part: string;
  steps: Map<number, number>;
  sumMs: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    noteTurn(...args: (string | number)[]): Result<number, Context>;
  }
}

/**
 * KEYS: turns, counts, times, times of the hour. ARGV: the turn's end, turns to keep, count field, lifetime
 * of an hour in seconds, number of times, the step of each, then a sum field and ms for each. Sets all fields
 * of a key at once, to write only one line to the disk.
 */
const noteScript = `
local function add(key, amounts)
  local fields, values = {}, {}
  for i = 1, #amounts, 2 do table.insert(fields, amounts[i]) end
  local known = redis.call('HMGET', key, unpack(fields))
  for i, field in ipairs(fields) do
    table.insert(values, field)
    table.insert(values, string.format('%.0f', tonumber(known[i] or '0') + amounts[2 * i]))
  end
  redis.call('HSET', key, unpack(values))
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], '*', 'turn', ARGV[1])
redis.call('HINCRBY', KEYS[2], ARGV[3], 1)
local count = tonumber(ARGV[5])
if count > 0 then
  local steps = {}
  for i = 6, 5 + count do
    table.insert(steps, ARGV[i])
    table.insert(steps, 1)
  end
  add(KEYS[4], steps)
  if redis.call('TTL', KEYS[4]) < 0 then redis.call('EXPIRE', KEYS[4], ARGV[4]) end
  for i = 6 + count, #ARGV do table.insert(steps, ARGV[i]) end
  add(KEYS[3], steps)
end
return 1`;

export type TurnLog = ReturnType<typeof createTurnLog>;

/** Outcomes of recent turns, and timings of their parts over the day. */
export function createTurnLog({ redis }: { redis: Redis }) {
  redis.defineCommand('noteTurn', { numberOfKeys: 4, lua: noteScript });
  const hourKey = (hour: number) => keys.turnTimesOfHour.of(hour);
  const listeners = new Set<(end: TurnEnd) => void>();
  const thisHour = () => Math.floor(Date.now() / hourMs);

  return {
    /** Registers a listener for every turn that this process notes. */
    onNote: (listener: (end: TurnEnd) => void) => void listeners.add(listener),

    async note(end: TurnEnd): Promise<void> {
      for (const listener of listeners) listener(end);
      const { source, via, outcome, timings } = end;
      // The duration of a failure says nothing about the duration of answers.
      const times = outcome === 'done' ? Object.entries(timings) : [];
      const steps = times.map(([part, ms]) => fieldOf(source, part, stepOf(ms)));
      const sums = times.flatMap(([part, ms]) => [fieldOf(source, part, 'sum'), Math.round(ms)]);
      await onRedis(redis, () =>
        redis.noteTurn(
          ...[log, countsKey, timesKey, hourKey(thisHour())],
          ...[
            JSON.stringify({ ...end, timings: inTenths(timings) }),
            maxTurns,
            fieldOf(source, via ?? '', outcome),
          ],
          ...[keys.turnTimesOfHour.lastsS, steps.length, ...steps, ...sums],
        ),
      );
    },

    /** The last turns, newest first. */
    async last(): Promise<TurnEnd[]> {
      const entries = await onRedis(redis, () => redis.xrevrange(log, '+', '-', 'COUNT', maxTurns));
      return entries.flatMap(([, [, written = '']]) => {
        const { data } = endSchema.safeParse(parseJson(written));
        return data === undefined ? [] : [data];
      });
    },

    /** Timings of the last 24 hours, newest hour first. */
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

    /** All timings since counting began, and the number of turns by outcome. */
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

/** Rounds to tenths, because full precision would take a tenth of the entry. */
function inTenths(timings: Timings): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([part, ms]) => [part, Math.round(ms * 10) / 10]));
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
