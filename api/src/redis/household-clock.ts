import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from './keys.ts';
import { aheadOf, bootOf, createOwnTime, machineUptime } from './own-time.ts';
import { onRedis } from './redis.ts';

/** How often the clocks are compared, and the maximum delay before a step is noticed. */
const intervalMs = 1_000;
/** Smaller differences are network latency or gradual clock adjustments. */
const minStepMs = 250;
/** How long a process on another machine waits for the timekeepers to report a step. */
const followAfterMs = 3_500;
/** Share of a small difference to apply at once, after subtracting the network latency. */
const followed = 0.2;
/** Tolerance of the stored uptime, which has a resolution of 10 ms. */
const coarseMs = 50;

/** The household's time. All processes agree on it, whatever the clocks of their machines show. */
export interface HouseholdClock {
  /** Wall clock of Redis' machine, as Unix time in ms. It jumps when that clock is set. */
  now(): number;
  /**
   * Monotonic time in ms, comparable between processes: `now` without clock steps. For durations and
   * deadlines.
   */
  steady(): number;
  /** How far the clock was set forward since the era began: `now` is `steady` plus this. */
  shiftMs(): number;
  /** Identifies a period in which `steady` has no gap. It ends when the timekeeping machine restarts. */
  era(): string;
  /** Resolves when Redis has reported its time for the first time. */
  ready: Promise<void>;
}

/** The clock of this machine, assumed never to be set: for single-process programs and tests. */
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

/**
 * KEYS: clock, boot. Returns Redis' time in fractional ms, shift, era, and the steady time at which this boot
 * began.
 */
const readScript = `
local time = redis.call('TIME')
local clock = redis.call('HMGET', KEYS[1], 'shift', 'era')
return { string.format('%.3f', time[1] * 1000 + time[2] / 1000), clock[1], clock[2], redis.call('GET', KEYS[2]) }`;

/**
 * KEYS: clock, boot. ARGV: shift and era as last read ('' if none), new shift and era, start of this boot,
 * its lifetime. Returns 0 if another process was first.
 */
const setScript = `
local clock = redis.call('HMGET', KEYS[1], 'shift', 'era')
if (clock[1] or '') ~= ARGV[1] or (clock[2] or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'shift', ARGV[3], 'era', ARGV[4])
redis.call('SET', KEYS[2], ARGV[5], 'EX', ARGV[6])
return 1`;

interface ClockOptions {
  redis: Redis;
  /** Called when the clock of Redis' machine was set, with the difference. */
  onStep?: (byMs: number) => void;
  /** The wall clock of this machine. */
  wallMs?: () => number;
  ownMs?: () => number;
  uptimeMs?: () => number;
  boot?: string | null;
}

/** Redis' clock record, read at a moment of this process's own time. */
interface Reading {
  atMs: number;
  /** Maximum error of the reading: half of the round trip to Redis. */
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

/** Accesses the clock record in Redis. */
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
    /** False: another process has changed the record since it was read. */
    async write(before: Reading, after: { shiftMs: number; era: string; begunAt: number }): Promise<boolean> {
      const args = [before.shift, before.era, after.shiftMs, after.era, after.begunAt, lastsS];
      return (await onRedis(redis, () => redis.setClock(clockKey, bootKey, ...args))) === 1;
    },
    /** Saves when this boot began. */
    async note(begunAt: number): Promise<void> {
      await onRedis(redis, () => redis.set(bootKey, begunAt, 'EX', lastsS));
    },
  };
}

export type StoredClock = ReturnType<typeof createHouseholdClock>;

/**
 * Keeps the household's time, with Redis' clock as the wall clock. Only a process that measures elapsed time
 * can tell whether that clock was set. The processes on the machine that founded the era compare both every
 * second, and store the sum of all steps. After a restart they continue, because the machine's uptime
 * continued. Other machines adopt the stored values.
 */
export function createHouseholdClock(options: ClockOptions) {
  const { redis, onStep = () => undefined, wallMs = Date.now, uptimeMs = machineUptime() } = options;
  const ownMs = options.ownMs ?? createOwnTime({ uptimeMs });
  const boot = (options.boot === undefined ? bootOf() : options.boot) ?? randomUUID();
  const record = openClockRecord({ redis, boot, ownMs });

  /** Steady time minus own time. Based on this machine's clock until Redis has reported its time. */
  let offsetMs = wallMs() - ownMs();
  /** Uncertainty of `steady`, from the round trip of the reading that it is based on. */
  let doubtMs = 0;
  let [shiftMs, era, isAnchored] = [0, '', false];
  /** The era that this process has replaced. If that era is still in use elsewhere, it wins. */
  let replaced: string | null = null;
  let apartSinceMs: number | null = null;
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>();
  let aheadMs: number | null = null;

  const steady = (): number => ownMs() + offsetMs;
  const newEra = (): string => `${boot}.${randomUUID()}`;
  const keepsTime = (): boolean => era.startsWith(`${boot}.`);

  const ahead = () => aheadOf(ownMs, uptimeMs);
  const begunAt = (): number => Math.round(offsetMs - ahead().ms);
  /** False: another process was first. */
  const write = async (before: Reading, after: { shiftMs: number; era: string }): Promise<boolean> => {
    const rounded = { shiftMs: Math.round(after.shiftMs), era: after.era };
    if (!(await record.write(before, { ...rounded, begunAt: begunAt() }))) return false;
    ({ shiftMs, era } = rounded);
    return true;
  };
  const adopt = (reading: Reading): void => {
    offsetMs = reading.now - Number(reading.shift) - reading.atMs;
    doubtMs = reading.errorMs;
    [shiftMs, era, apartSinceMs] = [Number(reading.shift), reading.era, null];
  };

  /**
   * The first comparison continues where this machine left off. Otherwise it begins an era, because the
   * elapsed time is unknown.
   */
  const anchor = async (reading: Reading): Promise<boolean> => {
    if (reading.base !== null && reading.era !== '') {
      const { ms, errorMs } = ahead();
      offsetMs = reading.base + ms;
      doubtMs = coarseMs + errorMs;
      [shiftMs, era] = [Number(reading.shift), reading.era];
      return true;
    }
    offsetMs = reading.now - reading.atMs;
    doubtMs = reading.errorMs;
    replaced = reading.era;
    return write(reading, { shiftMs: 0, era: newEra() });
  };

  const settleEra = async (reading: Reading): Promise<void> => {
    const isOurs = keepsTime();
    if (reading.era !== '' && (reading.era === replaced || !isOurs)) return adopt(reading);
    const goesOn = { shiftMs: reading.now - (reading.atMs + offsetMs), era: isOurs ? era : newEra() };
    await write(reading, goesOn);
  };
  /**
   * A faster answer replaces a slow first one. Later answers correct the time only beyond their own
   * uncertainty.
   */
  const follow = ({ errorMs }: Reading, apartMs: number): void => {
    const certainMs = Math.sign(apartMs) * Math.max(0, Math.abs(apartMs) - errorMs);
    offsetMs += errorMs < doubtMs ? apartMs : certainMs * followed;
    doubtMs = Math.min(doubtMs, errorMs);
  };
  const settle = async (reading: Reading): Promise<void> => {
    if (reading.era !== era) return settleEra(reading);
    const apartMs = reading.now - Number(reading.shift) - (reading.atMs + offsetMs);
    shiftMs = Number(reading.shift);
    if (Math.abs(apartMs) > minStepMs + reading.errorMs + doubtMs) return settleStep(reading, apartMs);
    follow(reading, apartMs);
    apartSinceMs = null;
    if (reading.base === null || Math.abs(reading.base - begunAt()) > coarseMs) await record.note(begunAt());
  };
  /** The difference is too large for latency: a clock step. */
  const settleStep = async (reading: Reading, apartMs: number): Promise<void> => {
    if (keepsTime()) {
      if (await write(reading, { shiftMs: shiftMs + apartMs, era })) onStep(Math.round(apartMs));
      return;
    }
    apartSinceMs ??= reading.atMs;
    if (reading.atMs - apartSinceMs >= followAfterMs) adopt(reading);
  };

  const look = async (): Promise<void> => {
    const reading = await record.read();
    aheadMs = wallMs() - (ownMs() - reading.atMs) - reading.now;
    if (isAnchored) return settle(reading);
    isAnchored = await anchor(reading);
    if (isAnchored && reading.base !== null) await settle(reading);
    if (isAnchored) begin();
  };
  const compare = oneAtATime(look);
  // Without Redis, the time continues unchanged.
  const timer = setInterval(() => void compare().catch(() => undefined), intervalMs).unref();
  redis.on('ready', () => void compare().catch(() => undefined));

  return {
    now: () => steady() + shiftMs,
    steady,
    shiftMs: () => shiftMs,
    era: () => era,
    ready,
    /** How far this machine's clock is ahead of Redis' clock. Null: not known yet. */
    aheadMs: () => aheadMs,
    /** Compares the clocks now. */
    compare,
    stop: () => clearInterval(timer),
  };
}

/** Concurrent callers share one run. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
