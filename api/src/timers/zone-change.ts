import type { Redis, Result } from 'ioredis';
import { instantOf } from '../language/calendar/instant.ts';
import { createClock } from '../language/calendar/time-zones.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { nextTime } from './repetition.ts';
import { arrange, type RingJobs } from './ring-jobs.ts';
import type { StoredTimers } from './stored-timers.ts';
import type { Timer } from './timer.ts';
import { timerChannel } from './timer-news.ts';
import { tellLua } from './timer-scripts.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    changeTimerZone(...args: (string | number)[]): Result<number, Context>;
  }
}

/**
 * Moves timers to another zone, all or none. KEYS: timers, zone. ARGV: channel, expected zone ('' none), new
 * zone, then for each timer its id, its revision and its record. Returns 0 if another change came first.
 */
const zoneScript = `${tellLua}
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[2] then return 0 end
for i = 4, #ARGV, 3 do
  local before = redis.call('HGET', KEYS[1], ARGV[i])
  if not before or tostring(cjson.decode(before).revision) ~= ARGV[i + 1] then return 0 end
end
for i = 4, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
  tell(ARGV[1], 'changed', ARGV[i + 2], '')
end
redis.call('SET', KEYS[2], ARGV[3])
return 1`;

const localTime = createClock();
const minuteMs = 60_000;

interface ZoneChangeOptions {
  redis: Redis;
  jobs: RingJobs;
  timers: Pick<StoredTimers, 'all'>;
  /** The household's time zone now. */
  timeZone: string;
  clock?: HouseholdClock;
}

/**
 * Keeps the local times of alarms when the household's time zone changes: seven o'clock stays seven. Call it
 * at startup. Returns the number of moved timers.
 */
export function createZoneChange(options: ZoneChangeOptions) {
  const { redis, jobs, timers, timeZone, clock = machineClock } = options;
  redis.defineCommand('changeTimerZone', { numberOfKeys: 2, lua: zoneScript });
  const [timersKey, zoneKey] = [keys.timers.of(), keys.timerZone.of()];

  return async (): Promise<number> => {
    for (;;) {
      const known = (await onRedis(redis, () => redis.get(zoneKey))) ?? '';
      const moved = (await timers.all()).flatMap((before) => {
        const after = inZone(before, { from: known, to: timeZone, now: clock.now() });
        return after === null ? [] : [{ before, after }];
      });
      if (known === timeZone && moved.length === 0) return 0;
      const records = moved.flatMap(({ before, after }) => [
        after.id,
        before.revision,
        JSON.stringify(after),
      ]);
      const args = [channelOn(redis, timerChannel), known, timeZone, ...records];
      if ((await onRedis(redis, () => redis.changeTimerZone(timersKey, zoneKey, ...args))) === 0) continue;
      await arrange(moved.flatMap(({ before, after }) => [jobs.add(after), jobs.remove(before)]));
      return moved.length;
    }
  };
}

interface Move {
  /** '' if unknown. */
  from: string;
  to: string;
  now: number;
}

/** The timer at the same local time in another zone. Null: it stays. */
export function inZone(timer: Timer, { from, to, now }: Move): Timer | null {
  const { repeats, dueAt, state, counts } = timer;
  const zone = repeats?.timeZone ?? from;
  const isByClock = repeats !== undefined || counts?.by === 'clock';
  if (state !== 'running' || !isByClock || zone === '' || zone === to) return null;
  const moved = {
    ...timer,
    revision: timer.revision + 1,
    ...(repeats && { repeats: { ...repeats, timeZone: to } }),
  };
  const sameTime = instantOf(localTime(dueAt, zone), { clock: localTime, timeZone: to }) + (dueAt % minuteMs);
  if (sameTime > now) return { ...moved, dueAt: sameTime };
  // The local time has passed in the new zone. One that rings once still rings, at the moment first meant.
  const next = moved.repeats && nextTime(moved.repeats, now);
  return next == null ? null : { ...moved, dueAt: next };
}
