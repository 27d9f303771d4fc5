import type { Result } from 'ioredis';
import { readLines } from '../redis/json-lines.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { measureLua } from './conversation-size.ts';
import { conversationKeys, conversationsKey, type ExchangeStorage } from './conversation-store.ts';
import type { Erase } from './erasure.ts';
import { askedWords, type Exchange, exchangeSchema, type Understanding } from './exchange.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    listConversations(all: string, from: number, limit: number): Result<[string, number, string][], Context>;
    forgetAllOf(
      exchanges: string,
      meta: string,
      actions: string,
      all: string,
      name: string,
    ): Result<number, Context>;
    forgetSome(...args: (string | number)[]): Result<number, Context>;
  }
}

/** Maximum number read in one script call, because Redis is blocked meanwhile. */
const maxAtOnce = 200;

/**
 * KEYS: index of conversations. ARGV: offset, limit. Returns names with turn counts and the time of the last
 * turn, newest first.
 */
const listScript = `
local found = redis.call('ZREVRANGE', KEYS[1], ARGV[1], ARGV[1] + ARGV[2] - 1, 'WITHSCORES')
local kept = {}
for i = 1, #found, 2 do
  local turns = redis.call('LLEN', ${keys.exchanges.inLua('found[i]')})
  table.insert(kept, { found[i], turns, found[i + 1] })
end
return kept`;

/**
 * Deletes a conversation. Its exchange count expires later, and `promptFrom` moves past the deleted
 * exchanges. A turn that is just ending must not bring them back.
 */
const forget = `${measureLua}local function forget(exchanges, meta, actions, all, name)
  local turns = redis.call('LLEN', exchanges)
  redis.call('DEL', exchanges, actions)
  redis.call('ZREM', all, name)
  local count = redis.call('HGET', meta, 'count')
  if count then redis.call('HSET', meta, 'promptFrom', count) end
  measure(name)
  return turns
end`;

/** KEYS: exchanges, meta, actions, index. ARGV: name. Returns how many turns were deleted. */
const forgetAllScript = `${forget}
return forget(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1])`;

/**
 * KEYS: as above. ARGV: name, start and end (Unix ms), a turn id or ''. Deletes the turns from start until
 * before the end, or only the given turn. Turns without a time and unreadable lines count as oldest.
 */
const forgetSomeScript = `${forget}
local exchanges, meta, actions = unpack(KEYS)
local from, to, turn = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local function isMeant(line)
  local isRead, kept = pcall(cjson.decode, line)
  kept = isRead and type(kept) == 'table' and kept or {}
  local at = tonumber(kept.at) or 0
  if turn ~= '' then return kept.turn == turn end
  return at >= from and at < to
end
local lines = redis.call('LRANGE', exchanges, 0, -1)
local promptFrom = tonumber(redis.call('HGET', meta, 'promptFrom') or '0')
local oldest = tonumber(redis.call('HGET', meta, 'count') or '0') - #lines
local gone, ofPrompt = 0, 0
for place, line in ipairs(lines) do
  if isMeant(line) then
    gone = gone + 1
    if oldest + place > promptFrom then ofPrompt = ofPrompt + 1 end
    redis.call('LSET', exchanges, place - 1, '')
  end
end
if gone == 0 then return 0 end
if gone == #lines then
  forget(exchanges, meta, actions, KEYS[4], ARGV[1])
  return gone
end
redis.call('LREM', exchanges, 0, '')
-- The turns are counted from the newest on: the prompt must not begin further back because fewer are left.
redis.call('HSET', meta, 'promptFrom', math.max(promptFrom, oldest) + ofPrompt)
for _, line in ipairs(redis.call('LRANGE', actions, 0, -1)) do
  if isMeant(line) then redis.call('LREM', actions, 0, line) end
end
measure(ARGV[1])
return gone`;

/** A stored conversation. */
export interface StoredConversation {
  name: string;
  turns: number;
  /** Unix time in ms of its last turn. */
  lastAt: number;
}

/** One of its turns: the person's words and the answer. */
export interface StoredExchange {
  turn: string | null;
  /** Unix time in ms. Null if it was not recorded. */
  at: number | null;
  user: string;
  assistant: string;
  /** Undefined in records of earlier versions. */
  understood?: Understanding | undefined;
}

export type StoredConversations = ReturnType<typeof createStoredConversations>;

/** Lists, searches and deletes stored conversations for the household. */
export function createStoredConversations({
  redis,
  onUnreadable,
  erase,
}: ExchangeStorage & { erase: Erase }) {
  redis.defineCommand('listConversations', { numberOfKeys: 1, lua: listScript });
  redis.defineCommand('forgetAllOf', { numberOfKeys: 4, lua: forgetAllScript });
  redis.defineCommand('forgetSome', { numberOfKeys: 4, lua: forgetSomeScript });

  /** One page of non-empty conversations, newest first. `seen` counts all names on the page. */
  const page = async (from: number, limit: number) => {
    const found = await onRedis(redis, () => redis.listConversations(conversationsKey, from, limit));
    const all = found.map(([name, turns, lastAt]) => ({ name, turns, lastAt: Number(lastAt) }));
    return { seen: all.length, kept: all.filter(({ turns }) => turns > 0) };
  };

  return {
    /** Newest first. */
    async list({ from, limit }: { from: number; limit: number }): Promise<StoredConversation[]> {
      const kept: StoredConversation[] = [];
      let passed = 0;
      for (let at = 0; kept.length < limit; at += maxAtOnce) {
        const found = await page(at, maxAtOnce);
        for (const each of found.kept) {
          passed += 1;
          if (passed > from && kept.length < limit) kept.push(each);
        }
        if (found.seen < maxAtOnce) break;
      }
      return kept;
    },

    /** Iterates over all conversations, page by page, to limit memory use. */
    async *all(): AsyncGenerator<StoredConversation> {
      for (let at = 0, seen = maxAtOnce; seen === maxAtOnce; at += maxAtOnce) {
        const found = await page(at, maxAtOnce);
        yield* found.kept;
        seen = found.seen;
      }
    },

    /** The turns of a conversation, oldest first. Empty if nothing is stored. */
    async read(name: string): Promise<StoredExchange[]> {
      const key = conversationKeys(name).exchanges;
      const lines = await onRedis(redis, () => redis.lrange(key, 0, -1));
      return readLines(key, lines, { schema: exchangeSchema, onUnreadable }).map(keptExchange);
    },

    /** Deletes a conversation with its words and actions. Returns how many turns it had. */
    async forget(name: string): Promise<number> {
      const forgotten = await onRedis(redis, () =>
        redis.forgetAllOf(...keysOf(name), conversationsKey, name),
      );
      await erase({ conversation: name });
      return forgotten;
    },

    /** Deletes one turn. Returns how many were deleted: one or none. */
    async forgetTurn(name: string, turn: string): Promise<number> {
      const args = [conversationsKey, name, 0, 0, turn];
      const forgotten = await onRedis(redis, () => redis.forgetSome(...keysOf(name), ...args));
      if (forgotten > 0) await erase({ turn });
      return forgotten;
    },

    /**
     * Deletes all turns from `after` until before `before`, in every conversation. Returns how many there
     * were.
     */
    async forgetBetween({ after = 0, before }: { after?: number | undefined; before: number }) {
      let forgotten = 0;
      // A scan may miss names that are added or deleted meanwhile, but no others.
      for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
        const [next, found] = await onRedis(redis, () =>
          redis.zscan(conversationsKey, cursor, 'COUNT', maxAtOnce),
        );
        const names = found.filter((_entry, place) => place % 2 === 0);
        for (const name of names) {
          forgotten += await onRedis(redis, () =>
            redis.forgetSome(...keysOf(name), conversationsKey, name, after, before, ''),
          );
        }
        cursor = next;
      }
      await erase({ before, after });
      return forgotten;
    },
  };
}

/** Strips the context line before the person's own words. */
function keptExchange(exchange: Exchange): StoredExchange {
  const { assistant, turn, at, understood } = exchange;
  return { turn: turn ?? null, at: at ?? null, user: askedWords(exchange), assistant, understood };
}

function keysOf(name: string): [string, string, string] {
  const { exchanges, meta, actions } = conversationKeys(name);
  return [exchanges, meta, actions];
}
