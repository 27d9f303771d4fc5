import type { ChainableCommander, Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn } from '../redis/channel.ts';
import { keyPrefix, keys } from '../redis/keys.ts';
import { settingsChannel } from '../settings/settings-store.ts';
import { restoredNews, tokensChannel } from '../tokens/token-store.ts';
import { BackupError, type KeptKey } from './backup-file.ts';
import { isKept } from './kept-keys.ts';

const settingsKey = keys.settings.of();
/** A key may become another between two looks; three times in a row it does not. */
const attempts = 3;
const atOnce = 500;

const texts = z.array(z.string());

/** Everything that is kept, as it was in one moment. */
export async function takeSnapshot(redis: Redis): Promise<KeptKey[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readAll(redis, await keptKeys(redis));
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

/** Puts back what a snapshot holds, in one step: what is there now and not in it is gone after that. */
export async function restoreSnapshot(redis: Redis, kept: readonly KeptKey[]): Promise<void> {
  const now = Date.now();
  const [present, revision] = await Promise.all([keptKeys(redis), redis.hget(settingsKey, 'revision')]);
  const write = redis.multi();
  if (revision !== null) {
    // Turns that run see the settings under which they began.
    const { of: keyOf, lastsS } = keys.settingsOfRevision;
    write.copy(settingsKey, keyOf(revision), 'REPLACE');
    write.expire(keyOf(revision), lastsS);
  }
  for (const key of present) write.del(key);
  for (const each of kept) if (each.expiresAt === null || each.expiresAt > now) put(write, each);
  // A revision that somebody has seen never means anything else again.
  const revisions = kept.flatMap((each) =>
    each.key === settingsKey && each.type === 'hash'
      ? each.value.flatMap(([field, value]) => (field === 'revision' ? [Number(value)] : []))
      : [],
  );
  const next = Math.max(Number(revision ?? 0), ...revisions) + 1;
  if (revision !== null || revisions.length > 0) write.hset(settingsKey, 'revision', next);
  write.publish(channelOn(redis, settingsChannel), String(next));
  write.publish(channelOn(redis, tokensChannel), restoredNews);
  await resultsOf(write);
}

async function keptKeys(redis: Redis): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${keyPrefix}:*`, 'COUNT', atOnce);
    for (const key of keys) if (isKept(key)) found.add(key);
    cursor = next;
  } while (cursor !== '0');
  return [...found].sort();
}

async function readAll(redis: Redis, keys: readonly string[]): Promise<KeptKey[]> {
  const look = redis.pipeline();
  for (const key of keys) look.type(key);
  const types = texts.parse(await resultsOf(look));
  const read = redis.multi();
  keys.forEach((key, index) => {
    readOne(read, key, types[index] ?? '');
  });
  for (const key of keys) read.pttl(key);
  const results = keys.length === 0 ? [] : await resultsOf(read);
  const now = Date.now();
  return keys.flatMap((key, index) => {
    const ttlMs = Number(results[keys.length + index]);
    const record = recordOf(types[index] ?? '', results[index]);
    return record ? [{ key, expiresAt: ttlMs < 0 ? null : now + ttlMs, ...record }] : [];
  });
}

function readOne(read: ChainableCommander, key: string, type: string): void {
  if (type === 'string') read.get(key);
  else if (type === 'list') read.lrange(key, 0, -1);
  else if (type === 'set') read.smembers(key);
  else if (type === 'hash') read.hgetall(key);
  else if (type === 'zset') read.zrange(key, 0, '-1', 'WITHSCORES');
  else if (type === 'none') read.get(key);
  else throw new BackupError(`The key ${key} is a ${type}, which a backup cannot hold.`);
}

type Content = { [Type in KeptKey['type']]: Extract<KeptKey, { type: Type }> }[KeptKey['type']];
type Held = Content extends infer Each
  ? Each extends unknown
    ? Pick<Each & KeptKey, 'type' | 'value'>
    : never
  : never;

/** Undefined when the key has gone meanwhile. */
function recordOf(type: string, result: unknown): Held | undefined {
  if (type === 'string') return typeof result === 'string' ? { type, value: result } : undefined;
  if (type === 'list' || type === 'set') {
    const value = texts.parse(result);
    return value.length > 0 ? { type, value } : undefined;
  }
  if (type === 'hash') {
    const value = Object.entries(z.record(z.string(), z.string()).parse(result));
    return value.length > 0 ? { type, value } : undefined;
  }
  if (type === 'zset') {
    const flat = texts.parse(result);
    const value = pairsOf(flat);
    return value.length > 0 ? { type, value } : undefined;
  }
  return undefined;
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, index): [string, string] => [
    flat[2 * index] ?? '',
    flat[2 * index + 1] ?? '',
  ]);
}

function put(write: ChainableCommander, kept: KeptKey): void {
  const { key, expiresAt } = kept;
  if (kept.type === 'string') write.set(key, kept.value);
  else {
    for (let at = 0; at < kept.value.length; at += atOnce) putSome(write, kept, at);
  }
  if (expiresAt !== null) write.pexpireat(key, expiresAt);
}

function putSome(write: ChainableCommander, kept: Exclude<KeptKey, { type: 'string' }>, at: number): void {
  const { key } = kept;
  if (kept.type === 'list') write.rpush(key, ...kept.value.slice(at, at + atOnce));
  else if (kept.type === 'set') write.sadd(key, ...kept.value.slice(at, at + atOnce));
  else if (kept.type === 'hash') write.hset(key, ...kept.value.slice(at, at + atOnce).flat());
  else write.zadd(key, ...kept.value.slice(at, at + atOnce).flatMap(([member, score]) => [score, member]));
}

async function resultsOf(commands: ChainableCommander): Promise<unknown[]> {
  const results = (await commands.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error) throw error;
    return result;
  });
}
