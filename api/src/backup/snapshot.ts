import { randomUUID } from 'node:crypto';
import type { ChainableCommander, Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn } from '../redis/channel.ts';
import { keyPrefix, keys } from '../redis/keys.ts';
import { homeChannel } from '../settings/home-store.ts';
import { settingsChannel } from '../settings/settings-store.ts';
import { restoredNews, tokensChannel } from '../tokens/token-store.ts';
import { BackupError, type StoredKey } from './backup-file.ts';
import { isBackedUp } from './backup-keys.ts';

const settingsKey = keys.settings.of();
const conversationsKey = keys.conversations.of();
/** A key may change its type between two reads, but not several times in a row. */
const attempts = 3;
const atOnce = 500;
/** Maximum characters sent to Redis in one batch. */
const maxWaiting = 500_000;

const texts = z.array(z.string());

/**
 * Yields all kept keys, conversation by conversation, so that memory is bounded by the largest one. Each
 * conversation is consistent, and so are all other keys together.
 */
export async function* takeSnapshot(redis: Redis): AsyncGenerator<StoredKey> {
  const groups = Map.groupBy(await keptKeys(redis), (key) => conversationOf(key) ?? null);
  yield* await readGroup(
    redis,
    (groups.get(null) ?? []).filter((key) => key !== conversationsKey),
  );
  for (const [name, group] of groups) if (name !== null) yield* await readGroup(redis, group, name);
}

/**
 * Restores a snapshot, and deletes current keys that it does not contain. Everything is first written to
 * staging keys. They are swapped in atomically when `kept` has ended without error. Otherwise nothing
 * changes.
 */
export async function restoreSnapshot(
  redis: Redis,
  kept: AsyncIterable<StoredKey>,
  /** Keeps a current key that the snapshot does not contain. */
  staysWithout: (key: string) => boolean = () => false,
): Promise<void> {
  const staging = createStaging(redis);
  try {
    let revision = 0;
    for await (const each of kept) {
      revision = Math.max(revision, revisionIn(each));
      await staging.add(each);
    }
    await putInPlace(redis, { staged: await staging.finish(), revision, staysWithout });
  } catch (error) {
    await staging.drop().catch(() => undefined); // the staging keys expire
    throw error;
  }
}

interface Restored {
  staged: readonly Staged[];
  revision: number;
  staysWithout: (key: string) => boolean;
}

/** The only step that changes live data. */
async function putInPlace(
  redis: Redis,
  { staged, revision: restored, staysWithout }: Restored,
): Promise<void> {
  const [present, revision] = await Promise.all([keptKeys(redis), redis.hget(settingsKey, 'revision')]);
  const write = redis.multi();
  if (revision !== null) {
    // Running turns keep the settings of their revision.
    const { of: keyOf, lastsS } = keys.settingsOfRevision;
    write.copy(settingsKey, keyOf(revision), 'REPLACE');
    write.expire(keyOf(revision), lastsS);
  }
  for (const key of present) if (!staysWithout(key)) write.del(key);
  // Restored conversations have other sizes, so force a new measurement.
  for (const { of } of [keys.conversationSizes, keys.conversationBytes, keys.conversationRecount])
    write.del(of());
  for (const { key, at, expiresAt } of staged) {
    write.rename(at, key);
    if (expiresAt === null) write.persist(key);
    else write.pexpireat(key, expiresAt);
  }
  // A revision number must never be reused with another meaning.
  const next = Math.max(Number(revision ?? 0), restored) + 1;
  if (revision !== null || restored > 0) write.hset(settingsKey, 'revision', next);
  write.publish(channelOn(redis, settingsChannel), String(next));
  write.publish(channelOn(redis, homeChannel), '');
  write.publish(channelOn(redis, tokensChannel), restoredNews);
  await resultsOf(write);
}

/** The revision in the settings key. 0 for other keys. */
function revisionIn(kept: StoredKey): number {
  if (kept.key !== settingsKey) return 0;
  if (kept.type !== 'hash') throw new BackupError('The backup contains settings that cannot be read.');
  const [, revision] = kept.value.find(([field]) => field === 'revision') ?? [];
  return Number(revision) || 0;
}

interface Staged {
  key: string;
  /** The staging key. */
  at: string;
  expiresAt: number | null;
}

/** Writes keys to staging keys. */
function createStaging(redis: Redis) {
  const { of: keyOf, lastsS } = keys.restoring;
  const id = randomUUID();
  const now = Date.now();
  const staged = new Map<string, Staged>();
  let write = redis.pipeline();
  let waiting = 0;

  const flush = async () => {
    const ready = write;
    [write, waiting] = [redis.pipeline(), 0];
    if (ready.length > 0) await resultsOf(ready);
  };

  return {
    async add(kept: StoredKey): Promise<void> {
      const { key, expiresAt } = kept;
      if (expiresAt !== null && expiresAt <= now) return;
      const known = staged.get(key);
      const at = known?.at ?? keyOf(id, staged.size);
      put(write, at, kept);
      if (known === undefined) {
        write.expire(at, lastsS);
        staged.set(key, { key, at, expiresAt });
      }
      waiting += lengthOf(kept);
      if (write.length >= atOnce || waiting >= maxWaiting) await flush();
    },
    /** Checks that all staging keys exist, and extends their expiry. */
    async finish(): Promise<readonly Staged[]> {
      await flush();
      for (const { at } of staged.values()) write.expire(at, lastsS);
      const found = write.length > 0 ? await resultsOf(write) : [];
      if (found.some((each) => each !== 1)) throw new Error('what was written has gone again');
      return [...staged.values()];
    },
    async drop(): Promise<void> {
      const gone = redis.pipeline();
      for (const { at } of staged.values()) gone.unlink(at);
      await gone.exec();
    },
  };
}

const ofConversations = [keys.exchanges, keys.conversation, keys.actions, keys.lastCommand];

/** The conversation of a key. */
function conversationOf(key: string): string | undefined {
  const kind = ofConversations.find(
    ({ around: { before, after } }) => key.startsWith(before) && key.endsWith(after),
  );
  return kind && key.slice(kind.around.before.length, key.length - kind.around.after.length);
}

async function keptKeys(redis: Redis): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${keyPrefix}:*`, 'COUNT', atOnce);
    for (const key of keys) if (isBackedUp(key)) found.add(key);
    cursor = next;
  } while (cursor !== '0');
  return [...found].sort();
}

/** Reads keys atomically. For a conversation, also its score in the index. */
async function readGroup(redis: Redis, group: readonly string[], name?: string): Promise<StoredKey[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readTogether(redis, group, name);
    } catch (error) {
      if (attempt === attempts || error instanceof BackupError) throw error;
    }
  }
}

async function readTogether(redis: Redis, group: readonly string[], name?: string): Promise<StoredKey[]> {
  if (group.length === 0) return [];
  const look = redis.pipeline();
  for (const key of group) look.type(key);
  const types = texts.parse(await resultsOf(look));
  const read = redis.multi();
  group.forEach((key, index) => {
    readOne(read, key, types[index] ?? '');
  });
  for (const key of group) read.pttl(key);
  if (name !== undefined) read.zscore(conversationsKey, name);
  const results = await resultsOf(read);
  const now = Date.now();
  const kept = group.flatMap((key, index) => {
    const ttlMs = Number(results[group.length + index]);
    const record = recordOf(types[index] ?? '', results[index]);
    return record ? piecesOf({ key, expiresAt: ttlMs < 0 ? null : now + ttlMs, ...record }) : [];
  });
  const score = results[2 * group.length];
  if (name === undefined || typeof score !== 'string') return kept;
  return [...kept, { key: conversationsKey, expiresAt: null, type: 'zset', value: [[name, score]] }];
}

/** Splits a key into chunks, so that file lines and Redis commands stay small. */
function piecesOf(kept: StoredKey): StoredKey[] {
  if (kept.type === 'string' || kept.value.length <= atOnce) return [kept];
  const pieces = Math.ceil(kept.value.length / atOnce);
  return Array.from({ length: pieces }, (_, index) => pieceOf(kept, index * atOnce));
}

function pieceOf(kept: Exclude<StoredKey, { type: 'string' }>, from: number): StoredKey {
  const { key, expiresAt } = kept;
  const to = from + atOnce;
  if (kept.type === 'list' || kept.type === 'set')
    return { key, expiresAt, type: kept.type, value: kept.value.slice(from, to) };
  return { key, expiresAt, type: kept.type, value: kept.value.slice(from, to) };
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

type Content = { [Type in StoredKey['type']]: Extract<StoredKey, { type: Type }> }[StoredKey['type']];
type Held = Content extends infer Each
  ? Each extends unknown
    ? Pick<Each & StoredKey, 'type' | 'value'>
    : never
  : never;

/** Undefined if the key has vanished. */
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

function lengthOf({ value }: StoredKey): number {
  return typeof value === 'string' ? value.length : value.flat().reduce((sum, each) => sum + each.length, 0);
}

/** Appends a chunk to a key. */
function put(write: ChainableCommander, at: string, kept: StoredKey): void {
  if (kept.type === 'string') write.set(at, kept.value);
  else for (let from = 0; from < kept.value.length; from += atOnce) putSome(write, at, kept, from);
}

function putSome(
  write: ChainableCommander,
  at: string,
  kept: Exclude<StoredKey, { type: 'string' }>,
  from: number,
): void {
  const to = from + atOnce;
  if (kept.type === 'list') write.rpush(at, ...kept.value.slice(from, to));
  else if (kept.type === 'set') write.sadd(at, ...kept.value.slice(from, to));
  else if (kept.type === 'hash') write.hset(at, ...kept.value.slice(from, to).flat());
  else write.zadd(at, ...kept.value.slice(from, to).flatMap(([member, score]) => [score, member]));
}

async function resultsOf(commands: ChainableCommander): Promise<unknown[]> {
  const results = (await commands.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error) throw error;
    return result;
  });
}
