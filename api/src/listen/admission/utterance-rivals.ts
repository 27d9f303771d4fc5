import { createHash } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from '../../redis/keys.ts';
import { onRedis } from '../../redis/redis.ts';
import { unsaved } from '../../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    enterRival(key: string, owner: string, clarity: number, agoMs: number, forMs: number): Result<0, Context>;
    hasBetterRival(key: string, owner: string, clarity: number, withinMs: number): Result<0 | 1, Context>;
  }
}

/** An utterance that a satellite heard, and how clearly. */
interface Rival {
  /** Places in which the same voice may be heard. Satellites with a common place are rivals. */
  places: readonly string[];
  /** Id of the connection. */
  owner: string;
  clarity: number;
  /** How long ago the speech began. */
  agoMs: number;
}

/**
 * Uses the clock of Redis, which all processes share. A satellite's newest utterance replaces the one before.
 */
const enterScript = `${unsaved}
local now = redis.call('TIME')
local began = now[1] * 1000 + now[2] / 1000 - ARGV[3]
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %.3f', began, ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 0`;

/** On equal clarity, the lower session id wins. */
const betterScript = `${unsaved}
local own = redis.call('HGET', KEYS[1], ARGV[1])
if not own then return 0 end
local began = tonumber(string.match(own, '^%S+'))
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local when, clarity = string.match(all[at + 1], '^(%S+) (%S+)')
  if all[at] ~= ARGV[1] and math.abs(when - began) <= tonumber(ARGV[3]) then
    local more = tonumber(clarity) - ARGV[2]
    if more > 0 or (more == 0 and all[at] < ARGV[1]) then return 1 end
  end
end
return 0`;

/** Satellites that hear speech begin within this time (ms) hear the same person. */
const withinMs = 300;
const forMs = 5_000;

/** Compares how clearly satellites heard the same speech, across all api processes. */
export function createUtteranceRivals({ redis }: { redis: Redis }) {
  redis.defineCommand('enterRival', { numberOfKeys: 1, lua: enterScript });
  redis.defineCommand('hasBetterRival', { numberOfKeys: 1, lua: betterScript });

  // Hashed, because key names must not contain names of rooms or people.
  const keyOf = (place: string) =>
    keys.utteranceRivals.of(createHash('sha256').update(place).digest('base64url'));

  return {
    async enter({ places, owner, clarity, agoMs }: Rival): Promise<void> {
      await onRedis(redis, () =>
        Promise.all(
          places.map((place) => redis.enterRival(keyOf(place), owner, rounded(clarity), agoMs, forMs)),
        ),
      );
    },
    /** Whether another satellite heard the same speech better and has not withdrawn. */
    async hasBetter({ places, owner, clarity }: Omit<Rival, 'agoMs'>): Promise<boolean> {
      const found = await onRedis(redis, () =>
        Promise.all(
          places.map((place) => redis.hasBetterRival(keyOf(place), owner, rounded(clarity), withinMs)),
        ),
      );
      return found.includes(1);
    },
    /** Withdraws an utterance that is answered, or was not for the assistant. */
    async leave({ places, owner }: Pick<Rival, 'places' | 'owner'>): Promise<void> {
      await onRedis(redis, () => Promise.all(places.map((place) => redis.hdel(keyOf(place), owner))));
    },
  };
}

const rounded = (clarity: number) => Math.round(clarity * 1_000) / 1_000;
