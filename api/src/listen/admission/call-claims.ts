import type { Redis, Result } from 'ioredis';
import { keys } from '../../redis/keys.ts';
import { onRedis } from '../../redis/redis.ts';
import { unsaved } from '../../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    noteCall(key: string, owner: string, seen: string, agoMs: number, forMs: number): Result<0, Context>;
    claimCall(
      key: string,
      owner: string,
      ...args: [clarity: number, agoMs: number, withinMs: number, waitsFor: WaitsFor, forMs: number]
    ): Result<CallClaim, Context>;
  }
}

/** A satellite that hears speech for the assistant, or speech that may turn out to be for it. */
interface Call {
  /** Id of the connection. */
  owner: string;
  /** How clearly it hears the speech. Null: the person is still speaking. */
  clarity: number | null;
  /** How long ago the speech began. */
  agoMs: number;
  /** Whether the name or wake word is certain. Otherwise the transcript decides. */
  isSure: boolean;
}

/** Satellites to wait for: all, only those whose speech is over, or none. */
type WaitsFor = 'all' | 'ended' | 'none';

/**
 * `won`: this satellite answers. `lost`: another one answers. `unfinished`: another one still hears speech.
 * `undecided`: another one heard it better and does not know yet whether it is meant.
 */
type CallClaim = 'won' | 'lost' | 'unfinished' | 'undecided';

/** ARGV: owner, "clarity state", age and lifetime in ms. All processes share the clock of Redis. */
const noteScript = `${unsaved}
local now = redis.call('TIME')
local began = now[1] * 1000 + now[2] / 1000 - ARGV[3]
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', began, ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 0`;

/**
 * ARGV: owner, clarity, age, tolerance, whom to wait for, lifetime. A claim has a separate field, because
 * the next speech overwrites the first one. On equal clarity, the lower session id wins.
 */
const claimScript = `${unsaved}
local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local began, own = now - ARGV[3], ARGV[1] .. '+'
local open, undecided, lost = false, false, false
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local owner = all[at]
  local when, clarity, state = string.match(all[at + 1], '^(%S+) (%S+) (%S+)$')
  if now - when > tonumber(ARGV[6]) then redis.call('HDEL', KEYS[1], owner)
  elseif owner ~= ARGV[1] and owner ~= own and math.abs(when - began) <= tonumber(ARGV[4]) then
    local more = tonumber(clarity) - ARGV[2]
    if state == 'claimed' then return 'lost'
    elseif state == 'open' then open = true
    elseif more > 0 or (more == 0 and owner < ARGV[1]) then
      if state == 'sure' then lost = true else undecided = true end
    end
  end
end
if lost then return 'lost' end
if undecided and ARGV[5] ~= 'none' then return 'undecided' end
if open and ARGV[5] == 'all' then return 'unfinished' end
redis.call('HSET', KEYS[1], own, string.format('%.0f %s claimed', began, ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return 'won'`;

/** Satellites that hear speech begin within this time (ms) hear the same person. */
const samePersonMs = 300;
/** Longer than any utterance: a satellite in a noisy room may hear its end late. */
const forMs = 40_000;

interface CallClaimsOptions {
  redis: Redis;
  /** For tests, which take longer than people when the machine is busy. */
  withinMs?: number;
}

export type CallClaims = ReturnType<typeof createCallClaims>;

/**
 * Decides across all api processes which satellite answers a person who is heard in several rooms. The one
 * that hears the person best wins. Each function may fail.
 */
export function createCallClaims({ redis, withinMs = samePersonMs }: CallClaimsOptions) {
  redis.defineCommand('noteCall', { numberOfKeys: 1, lua: noteScript });
  redis.defineCommand('claimCall', { numberOfKeys: 1, lua: claimScript });
  const key = keys.satelliteCalls.of();

  return {
    async note({ owner, clarity, agoMs, isSure }: Call): Promise<void> {
      const known = isSure ? 'sure' : 'maybe';
      const state = clarity === null ? 'open' : known;
      const seen = `${rounded(clarity ?? 0)} ${state}`;
      await onRedis(redis, () => redis.noteCall(key, owner, seen, agoMs, forMs));
    },
    /** Claims the answer, unless another satellite has it or may get it. */
    async claim(
      { owner, clarity, agoMs }: Omit<Call, 'isSure' | 'clarity'> & { clarity: number },
      waitsFor: WaitsFor,
    ): Promise<CallClaim> {
      return onRedis(redis, () =>
        redis.claimCall(key, owner, rounded(clarity), agoMs, withinMs, waitsFor, forMs),
      );
    },
    /** The speech was for someone else. */
    async leave({ owner }: Pick<Call, 'owner'>): Promise<void> {
      await onRedis(redis, () => redis.hdel(key, owner));
    },
  };
}

const rounded = (clarity: number) => Math.round(clarity * 1_000) / 1_000;
