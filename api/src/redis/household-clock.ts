import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from './keys.ts';
import { bootOf, createOwnTime, machineUptime } from './own-time.ts';
import { onRedis } from './redis.ts';

/** How often the clocks are compared. A step is noticed so late at the most. */
const everyMs = 1_000;
/** Less than this is the way to Redis and back, or a clock that is set a little at a time. */
const leastStepMs = 250;
/** A process on another machine waits so long for those that keep the time to say what a step was. */
const followAfterMs = 3_500;
/** The share of a small difference that is taken over at once, as far as the way to Redis and back does not explain it. */
const followed = 0.2;
/** The uptime that is kept may be off by this: the machine tells it in steps of 10 ms. */
const coarseMs = 50;

/** The time of the household, the same in all its processes, whatever the clocks of their machines show. */
export interface HouseholdClock {
  /** What the clock on the wall shows, Unix time in ms: that of Redis' machine. It jumps when that clock is set. */
  now(): number;
  /** Time that only passes, in ms, comparable between processes: `now` without the steps. For lengths and deadlines. */
  steady(): number;
  /** How far the clock was set forward since the era began: `now` is `steady` and this. */
  shiftMs(): number;
  /** The time through which `steady` was kept without a gap. It ends when the machine that keeps it is started anew. */
  era(): string;
  /** Resolves when Redis has told its time for the first time. */
  ready: Promise<void>;
}

/** The clock of this machine alone, never set: for programs and tests with a single process. */
export const machineClock: HouseholdClock = {
  now: () => Date.now(),
  steady: () => Date.now(),
  shiftMs: () => 0,
  era: () => '',
  ready: Promise.resolve(),
};

declare module 'ioredis' {
  interface RedisCommander<Context> {
    readClock(...args: string[]): Result<(string | null)[], Context>;
    setClock(...args: (string | number)[]): Result<number, Context>;
  }
}

/** KEYS: clock, boot. Returns Redis' time in ms with its fraction, shift, era, and the steady time at which this boot began. */
const readScript = `
local time = redis.call('TIME')
local clock = redis.call('HMGET', KEYS[1], 'shift', 'era')
return { string.format('%.3f', time[1] * 1000 + time[2] / 1000), clock[1], clock[2], redis.call('GET', KEYS[2]) }`;

/**
 * KEYS: clock, boot. ARGV: shift and era as they were read ('' none), shift and era from now on, when this boot began, for how long that is kept.
 * Returns 0 if another process was sooner.
 */
const setScript = `
local clock = redis.call('HMGET', KEYS[1], 'shift', 'era')
if (clock[1] or '') ~= ARGV[1] or (clock[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'shift', ARGV[3], 'era', ARGV[4])
redis.call('SET', KEYS[2], ARGV[5], 'EX', ARGV[6])
return 1`;

interface ClockOptions {
  redis: Redis;
  /** The clock of Redis' machine was set forward by so much, or back. */
  onStep?: (byMs: number) => void;
  /** The wall clock of this machine. */
  wallMs?: () => number;
  ownMs?: () => number;
  uptimeMs?: () => number;
  boot?: string | null;
}

/** What Redis has told, at a moment of this process's own time. */
interface Reading {
  atMs: number;
  /** The answer may be older or newer than that by so much: half of the way to Redis and back. */
  errorMs: number;
  now: number;
  shift: string;
  era: string;
  base: number | null;
}

interface RecordOptions {
  redis: Redis;
  boot: string;
  ownMs: () => number;
}

/** What Redis keeps of the clock. */
function openClockRecord({ redis, boot, ownMs }: RecordOptions) {
  const [clockKey, bootKey] = [keys.clock.of(), keys.clockOfBoot.of(boot)];
  const { lastsS } = keys.clockOfBoot;
  redis.defineCommand('readClock', { numberOfKeys: 2, lua: readScript });
  redis.defineCommand('setClock', { numberOfKeys: 2, lua: setScript });
  return {
    async read(): Promise<Reading> {
      const beganMs = ownMs();
      const [now, shift, era, base] = await onRedis(redis, () => redis.readClock(clockKey, bootKey));
      const endedMs = ownMs();
      return {
        atMs: (beganMs + endedMs) / 2,
        errorMs: (endedMs - beganMs) / 2,
        now: Number(now),
        shift: shift ?? '',
        era: era ?? '',
        base: base === null || base === undefined ? null : Number(base),
      };
    },
    /** False: another process has written something else since it was read. */
    async write(before: Reading, after: { shiftMs: number; era: string; begunAt: number }): Promise<boolean> {
      const args = [before.shift, before.era, after.shiftMs, after.era, after.begunAt, lastsS];
      return (await onRedis(redis, () => redis.setClock(clockKey, bootKey, ...args))) === 1;
    },
    /** Notes when this boot began. */
    async note(begunAt: number): Promise<void> {
      await onRedis(redis, () => redis.set(bootKey, begunAt, 'EX', lastsS));
    },
  };
}

export type KeptClock = ReturnType<typeof createHouseholdClock>;

/**
 * Keeps the time of the household. Redis' clock is the one on the wall. Whether it was set can be seen only by who counts the time that passes:
 * the processes on the machine that founded the era compare the two every second, and write the sum of all steps beside it. They go on
 * where they left off after a restart, because the machine's uptime went on. The others take over what is written.
 */
export function createHouseholdClock(options: ClockOptions) {
  const { redis, onStep = () => undefined, wallMs = Date.now, uptimeMs = machineUptime() } = options;
  const ownMs = options.ownMs ?? createOwnTime({ uptimeMs });
  const boot = (options.boot === undefined ? bootOf() : options.boot) ?? randomUUID();
  const record = openClockRecord({ redis, boot, ownMs });

  /** Steady time is this and the own time. Until Redis has told, it is that of this machine. */
  let offsetMs = wallMs() - ownMs();
  /** How far `steady` may be off because the answer that it rests on was long on its way. */
  let doubtMs = 0;
  let [shiftMs, era, isAnchored] = [0, '', false];
  /** The era that this process has replaced with one of its own: if that one goes on elsewhere, it counts. */
  let replaced: string | null = null;
  let apartSinceMs: number | null = null;
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>();
  let aheadMs: number | null = null;

  const steady = (): number => ownMs() + offsetMs;
  const newEra = (): string => `${boot}.${randomUUID()}`;
  const keepsTime = (): boolean => era.startsWith(`${boot}.`);

  const begunAt = (): number => Math.round(steady() - uptimeMs());
  /** False: another process was sooner. */
  const write = async (before: Reading, after: { shiftMs: number; era: string }): Promise<boolean> => {
    const rounded = { shiftMs: Math.round(after.shiftMs), era: after.era };
    if (!(await record.write(before, { ...rounded, begunAt: begunAt() }))) return false;
    ({ shiftMs, era } = rounded);
    return true;
  };
  const adopt = (told: Reading): void => {
    offsetMs = told.now - Number(told.shift) - told.atMs;
    doubtMs = told.errorMs;
    [shiftMs, era, apartSinceMs] = [Number(told.shift), told.era, null];
  };

  /** The first look: goes on where this machine left off, or begins an era, for nobody knows how much time has passed unseen. */
  const anchor = async (told: Reading): Promise<boolean> => {
    if (told.base !== null && told.era !== '') {
      offsetMs = told.base + uptimeMs() - ownMs();
      doubtMs = coarseMs;
      [shiftMs, era] = [Number(told.shift), told.era];
      return true;
    }
    offsetMs = told.now - told.atMs;
    doubtMs = told.errorMs;
    replaced = told.era;
    return write(told, { shiftMs: 0, era: newEra() });
  };

  const settleEra = async (told: Reading): Promise<void> => {
    const isOurs = keepsTime();
    if (told.era !== '' && (told.era === replaced || !isOurs)) return adopt(told);
    const goesOn = { shiftMs: told.now - (told.atMs + offsetMs), era: isOurs ? era : newEra() };
    await write(told, goesOn);
  };
  /** The first answer that came quicker replaces what a slow one began with. Later ones move the time only by what their own way leaves certain. */
  const follow = ({ errorMs }: Reading, apartMs: number): void => {
    const certainMs = Math.sign(apartMs) * Math.max(0, Math.abs(apartMs) - errorMs);
    offsetMs += errorMs < doubtMs ? apartMs : certainMs * followed;
    doubtMs = Math.min(doubtMs, errorMs);
  };
  const settle = async (told: Reading): Promise<void> => {
    if (told.era !== era) return settleEra(told);
    const apartMs = told.now - Number(told.shift) - (told.atMs + offsetMs);
    shiftMs = Number(told.shift);
    if (Math.abs(apartMs) > leastStepMs + told.errorMs + doubtMs) return settleStep(told, apartMs);
    follow(told, apartMs);
    apartSinceMs = null;
    if (told.base === null || Math.abs(told.base - begunAt()) > coarseMs) await record.note(begunAt());
  };
  /** The clock of Redis is not where it should be by the time that has passed. */
  const settleStep = async (told: Reading, apartMs: number): Promise<void> => {
    if (keepsTime()) {
      if (await write(told, { shiftMs: shiftMs + apartMs, era })) onStep(Math.round(apartMs));
      return;
    }
    apartSinceMs ??= told.atMs;
    if (told.atMs - apartSinceMs >= followAfterMs) adopt(told);
  };

  const look = async (): Promise<void> => {
    const told = await record.read();
    aheadMs = wallMs() - (ownMs() - told.atMs) - told.now;
    if (isAnchored) return settle(told);
    isAnchored = await anchor(told);
    if (isAnchored && told.base !== null) await settle(told);
    if (isAnchored) begin();
  };
  const compare = oneAtATime(look);
  // Without Redis the time goes on as it was.
  const timer = setInterval(() => void compare().catch(() => undefined), everyMs).unref();
  redis.on('ready', () => void compare().catch(() => undefined));

  return {
    now: () => steady() + shiftMs,
    steady,
    shiftMs: () => shiftMs,
    era: () => era,
    ready,
    /** How far the clock of this machine is ahead of that of Redis; null: not known yet. */
    aheadMs: () => aheadMs,
    /** Compares the clocks now. */
    compare,
    stop: () => clearInterval(timer),
  };
}

/** Whoever asks while it is being done waits for the same. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
