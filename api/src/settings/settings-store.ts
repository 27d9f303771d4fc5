import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { channelOn } from '../redis/channel.ts';
import { type OnUnreadable, readLines } from '../redis/json-lines.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { StoredValues } from './pipeline.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    changeSettings(...args: (string | number)[]): Result<[number, string], Context>;
  }
}

/** Hash of the changed settings, each field as JSON, and their `revision`. */
const madeKey = keys.settings.of();
const historyKey = keys.settingsHistory.of();
const maxChanges = 100;

/** Announces a change with its revision. */
export const settingsChannel = 'hearth:settings';

/**
 * KEYS: settings, history. ARGV: expected revision or '', Unix time in ms, channel, then keys and values; ''
 * removes a setting. Returns whether it succeeded, and the revision. An empty change makes no revision. The
 * previous settings stay readable for running turns.
 */
const changeScript = `
local revision = redis.call('HGET', KEYS[1], 'revision') or '0'
if ARGV[1] ~= '' and ARGV[1] ~= revision then return {0, revision} end
local changes = {}
for i = 4, #ARGV, 2 do
  local before = redis.call('HGET', KEYS[1], ARGV[i]) or ''
  if before ~= ARGV[i + 1] then
    table.insert(changes, ARGV[i])
    table.insert(changes, before)
    table.insert(changes, ARGV[i + 1])
  end
end
if #changes == 0 then return {1, revision} end
local was = ${keys.settingsOfRevision.inLua('revision')}
redis.call('COPY', KEYS[1], was, 'REPLACE')
redis.call('EXPIRE', was, ${keys.settingsOfRevision.lastsS})
for i = 1, #changes, 3 do
  if changes[i + 2] == '' then redis.call('HDEL', KEYS[1], changes[i])
  else redis.call('HSET', KEYS[1], changes[i], changes[i + 2]) end
end
local new = redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('LPUSH', KEYS[2], cjson.encode({ revision = new, at = ARGV[2], changes = changes }))
redis.call('LTRIM', KEYS[2], 0, ${maxChanges - 1})
redis.call('PUBLISH', ARGV[3], new)
return {1, tostring(new)}`;

const changeSchema = z.object({
  revision: z.number(),
  at: z.coerce.number(),
  /** Keys, each with its JSON value before and after. '': not set. */
  changes: z.array(z.string()),
});

/** Stored settings with their revision. */
export interface StoredSettings {
  revision: number;
  made: StoredValues;
}

export interface StoredChange {
  revision: number;
  /** Unix time in ms. */
  at: number;
  /** JSON values before and after. '': not set. */
  changes: { key: string; from: string; to: string }[];
}

interface SettingsStoreOptions {
  redis: Redis;
  onUnreadable?: OnUnreadable | undefined;
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** Stores the settings in Redis: changed values, revisions and history. */
export function createSettingsStore({ redis, onUnreadable }: SettingsStoreOptions) {
  redis.defineCommand('changeSettings', { numberOfKeys: 2, lua: changeScript });

  const read = async (key: string): Promise<StoredSettings | null> => {
    const { revision, ...made } = await onRedis(redis, () => redis.hgetall(key));
    return revision === undefined ? null : { revision: Number(revision), made };
  };

  return {
    read: async (): Promise<StoredSettings> => (await read(madeKey)) ?? { revision: 0, made: {} },

    /** The settings of an earlier revision. Null if it has expired. */
    async readRevision(revision: number): Promise<StoredSettings | null> {
      const now = await read(madeKey);
      return now?.revision === revision ? now : await read(keys.settingsOfRevision.of(revision));
    },

    /** Makes all changes atomically. `null` removes a setting. False: another change came first. */
    async change(changes: ReadonlyMap<string, string | null>, expected: number | null): Promise<boolean> {
      const fields = [...changes].flatMap(([key, json]) => [key, json ?? '']);
      const args = [expected ?? '', Date.now(), channelOn(redis, settingsChannel), ...fields];
      const [isMade] = await onRedis(redis, () => redis.changeSettings(madeKey, historyKey, ...args));
      return isMade === 1;
    },

    /** The last changes, newest first. */
    async history(): Promise<StoredChange[]> {
      const lines = await onRedis(redis, () => redis.lrange(historyKey, 0, -1));
      const found = readLines(historyKey, lines, { schema: changeSchema, onUnreadable });
      return found.map(({ changes, ...change }) => ({ ...change, changes: threes(changes) }));
    },
  };
}

function threes(flat: readonly string[]): StoredChange['changes'] {
  const found: StoredChange['changes'] = [];
  for (let at = 0; at + 2 < flat.length; at += 3) {
    const [key = '', from = '', to = ''] = flat.slice(at, at + 3);
    found.push({ key, from, to });
  }
  return found;
}
