import { randomInt, randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    askToJoin(...args: string[]): Result<'asked' | 'full', Context>;
    tryDigits(...args: string[]): Result<string, Context>;
    changeJoining(...args: string[]): Result<number, Context>;
  }
}

/** Maximum number of waiting requests. More would only be an attempt to flood the page. */
const maxWaiting = 5;
/** With six digits, this many guesses succeed once in 167,000 times. */
const maxTries = 6;
const maxSpoken = 10;
export const joiningLastsS = 600;

const joiningsKey = keys.joinings.of();

/**
 * KEYS: joinings. ARGV: id, joining, address, steady time. Each address has only its newest waiting request.
 * Expired ones are deleted. The key lasts longer, because its expiry follows a changed clock.
 */
const askScript = `
local now = tonumber(ARGV[4])
local waiting = 0
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local one = cjson.decode(all[at + 1])
  if one.untilMs <= now or (one.from == ARGV[3] and one.state == 'waiting') then
    redis.call('HDEL', KEYS[1], all[at])
  elseif one.state ~= 'joined' then waiting = waiting + 1 end
end
if waiting >= ${maxWaiting} then return 'full' end
local asked = cjson.decode(ARGV[2])
asked.untilMs = now + ${joiningLastsS * 1_000}
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(asked))
redis.call('EXPIRE', KEYS[1], ${keys.joinings.lastsS})
return 'asked'`;

/**
 * KEYS: joinings. ARGV: id, digits, steady time. The right digits claim the request: it is accepted once.
 * Returns the request, or the number of tries left.
 */
const tryScript = `
local now = tonumber(ARGV[3])
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return 'gone' end
local one = cjson.decode(kept)
if one.untilMs <= now or one.state ~= 'waiting' then return 'gone' end
if one.digits == ARGV[2] then
  one.state = 'claimed'
  redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(one))
  return cjson.encode(one)
end
one.tries = one.tries + 1
if one.tries >= ${maxTries} then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(one)) end
return tostring(${maxTries} - one.tries)`;

/** KEYS: joinings. ARGV: id, fields to change as JSON. Never restores a deleted request. */
const changeScript = `
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return 0 end
local one = cjson.decode(kept)
for field, value in pairs(cjson.decode(ARGV[2])) do one[field] = value end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(one))
return 1`;

const keptSchema = z.object({
  /** The name that the device reports. */
  label: z.string(),
  from: z.string(),
  digits: z.string(),
  /** SHA-256 of the token that it has generated. */
  hash: z.string(),
  tries: z.number(),
  spoken: z.number(),
  /** `claimed`: the digits were right, and its token is being stored. */
  state: z.enum(['waiting', 'claimed', 'joined']),
  untilMs: z.number(),
  /** The name that the person chose. Empty before that. */
  name: z.string(),
  room: z.string(),
});
export type Joining = z.infer<typeof keptSchema> & { id: string };

export type JoiningStore = ReturnType<typeof createJoiningStore>;

/**
 * Requests of satellites to join, valid for ten minutes. `steady`: the time of the household in ms, which
 * clock changes do not affect.
 */
export function createJoiningStore({ redis, steady }: { redis: Redis; steady: () => number }) {
  redis.defineCommand('askToJoin', { numberOfKeys: 1, lua: askScript });
  redis.defineCommand('tryDigits', { numberOfKeys: 1, lua: tryScript });
  redis.defineCommand('changeJoining', { numberOfKeys: 1, lua: changeScript });

  const change = (id: string, fields: Partial<Joining>) =>
    onRedis(redis, () => redis.changeJoining(joiningsKey, id, JSON.stringify(fields)));
  const find = async (id: string): Promise<Joining | null> => {
    const json = await onRedis(redis, () => redis.hget(joiningsKey, id));
    const found = json === null ? null : readJoining(id, json);
    return found && found.untilMs > steady() ? found : null;
  };

  return {
    find,

    async waiting(): Promise<Joining[]> {
      const kept = await onRedis(redis, () => redis.hgetall(joiningsKey));
      const all = Object.entries(kept).flatMap(([id, json]) => readJoining(id, json) ?? []);
      return all
        .filter(({ state, untilMs }) => state === 'waiting' && untilMs > steady())
        .sort((one, other) => one.untilMs - other.untilMs);
    },

    /** Null: too many requests are waiting. */
    async ask({ label, from, hash }: Pick<Joining, 'label' | 'from' | 'hash'>) {
      const [id, digits] = [randomUUID(), String(randomInt(1_000_000)).padStart(6, '0')];
      const joining = {
        label,
        from,
        hash,
        digits,
        tries: 0,
        spoken: 0,
        state: 'waiting',
        name: '',
        room: '',
      };
      const outcome = await onRedis(redis, () =>
        redis.askToJoin(joiningsKey, id, JSON.stringify(joining), from, String(steady())),
      );
      return outcome === 'asked' ? { id, digits } : null;
    },

    /** Claims a request by its digits. Otherwise returns the tries left, or null if it does not exist. */
    async claim(id: string, digits: string): Promise<Joining | number | null> {
      const outcome = await onRedis(redis, () => redis.tryDigits(joiningsKey, id, digits, String(steady())));
      if (outcome === 'gone') return null;
      return readJoining(id, outcome) ?? Number(outcome);
    },

    /** Undoes a claim after a failure. */
    release: (id: string) => change(id, { state: 'waiting' }),
    joined: (id: string, { name, room }: Pick<Joining, 'name' | 'room'>) =>
      change(id, { state: 'joined', name, room }),

    /** Whether its digits may be spoken once more. */
    async maySpeak({ id, spoken }: Joining): Promise<boolean> {
      return spoken < maxSpoken && (await change(id, { spoken: spoken + 1 })) === 1;
    },

    /** False: there was none. */
    remove: async (id: string) => (await onRedis(redis, () => redis.hdel(joiningsKey, id))) === 1,
  };
}

function readJoining(id: string, json: string): Joining | undefined {
  const { data } = keptSchema.safeParse(parseJson(json));
  return data && { id, ...data };
}
