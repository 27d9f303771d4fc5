import type { Redis, Result } from 'ioredis';
import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved, saved, unsaved } from '../redis/unsaved.ts';
import { measureLua } from './conversation-size.ts';
import { conversationsKey } from './conversation-store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tendConversations(...args: (string | number)[]): Result<[number, number], Context>;
    measureConversations(...names: string[]): Result<string | null, Context>;
  }
}

/** Default share of Redis' memory. Timers, lists and active turns need the rest. */
const usualShare = 0.5;
const maxShare = 0.75;
/** Minimum budget. With less, conversations could keep nothing useful. */
const minBytes = 8e6;
const bytesWithoutLimit = 256e6;

/** Maximum number of turns that one script call deletes, because Redis is blocked meanwhile. */
const maxAtOnce = 500;
/** Maximum number of conversations measured in one script call. */
const measuredAtOnce = 100;
const limitIsOldMs = 60_000;
const tended = [keys.conversations, keys.conversationBytes, keys.openTurns, keys.conversationsGivenUp].map(
  (each) => each.of(),
);
/** Time between attempts. `recount()` skips an attempt if the last recount is recent. */
const recountEveryMs = 60_000;

/** ARGV: names. */
const measureScript = `${measureLua}
for _, name in ipairs(ARGV) do measure(name) end
return redis.call('GET', '${keys.conversationBytes.of()}')`;

/**
 * KEYS: all conversations, total bytes, open turns, deletion counts. ARGV: the conversation that just grew,
 * the size in bytes that triggers deletion, the target size, now. Deletes the oldest turns of the least
 * recently used conversations. Skips conversations with an open turn, and keeps the newest turn of the given
 * one. Returns the number of turns and of whole conversations that were deleted.
 */
const tendScript = `${measureLua}
local all, total, open, given = unpack(KEYS)
local function used() return tonumber(redis.call('GET', total) or '0') end
measure(ARGV[1])
if used() <= tonumber(ARGV[2]) then return { 0, 0 } end
local isOver = { speaking = true, done = true, failed = true, cancelled = true }
local busy = {}
${unsaved}redis.call('ZREMRANGEBYSCORE', open, '-inf', ARGV[4])
for _, id in ipairs(redis.call('ZRANGE', open, 0, -1)) do
  local state, conversation = unpack(redis.call('HMGET', ${keys.turn.inLua('id')}, 'state', 'conversation'))
  if not state or isOver[state] then redis.call('ZREM', open, id) elseif conversation then busy[conversation] = true end
end
${saved}local goal, turns, conversations, place = tonumber(ARGV[3]), 0, 0, 0
while used() > goal and turns < ${maxAtOnce} do
  local name = redis.call('ZRANGE', all, place, place)[1]
  if not name then break end
  local exchanges = ${keys.exchanges.inLua('name')}
  local have = redis.call('LLEN', exchanges)
  local stays = name == ARGV[1] and 1 or 0
  if busy[name] or (have > 0 and have <= stays) then
    place = place + 1
  else
    local over, freed, gone = used() - goal, 0, 0
    while gone < have - stays and freed < over and turns + gone < ${maxAtOnce} do
      freed = freed + #redis.call('LINDEX', exchanges, gone)
      gone = gone + 1
    end
    turns = turns + gone
    if gone < have then
      redis.call('LTRIM', exchanges, gone, -1)
    else
      redis.call('DEL', exchanges, ${[keys.conversation, keys.actions, keys.lastCommand].map((each) => each.inLua('name')).join(', ')})
      redis.call('ZREM', all, name)
      if have > 0 then conversations = conversations + 1 end
    end
    measure(name)
  end
end
if turns > 0 then
  redis.call('HINCRBY', given, 'turns', turns)
  redis.call('HINCRBY', given, 'conversations', conversations)
  redis.call('EXPIRE', given, ${keys.conversationsGivenUp.lastsS})
end
return { turns, conversations }`;

/** Memory used by conversations. */
export interface ConversationRoom {
  usedBytes: number;
  maxBytes: number;
  /** Turns and conversations deleted within the last day because the budget was exceeded. */
  givenUp: { turns: number; conversations: number };
}

interface ConversationBudgetOptions {
  redis: Redis;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The budget set by the household. Null: the default. */
  wantedMb: () => number | null;
  clock?: HouseholdClock;
}

export type ConversationBudget = ReturnType<typeof createConversationBudget>;

/**
 * Memory budget of all conversations together. When a turn ends, its conversation is measured. Over budget,
 * the least recently used conversations lose their oldest turns, so that timers and lists always have room.
 */
export function createConversationBudget(options: ConversationBudgetOptions) {
  const { redis, log, wantedMb, clock = machineClock } = options;
  redis.defineCommand('tendConversations', { numberOfKeys: 4, lua: tendScript });
  redis.defineCommand('measureConversations', { numberOfKeys: 0, lua: measureScript });
  const notSaved = createUnsaved(redis);
  let limit: { bytes: number; atMs: number } | undefined;

  const maxBytes = async (): Promise<number> => {
    if (limit === undefined || performance.now() - limit.atMs > limitIsOldMs) {
      const info = await onRedis(redis, () => redis.info('memory'));
      limit = { bytes: Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0), atMs: performance.now() };
    }
    return budgetBytes(limit.bytes, wantedMb());
  };
  const tendNow = async (name: string): Promise<void> => {
    const most = await maxBytes();
    // Other turns may end between the end of a turn and this call. The margin above the first mark is for
    // them.
    const marks = [Math.round(0.95 * most), Math.round(0.9 * most)];
    const [turns, conversations] = await onRedis(redis, () =>
      redis.tendConversations(...tended, name, ...marks, clock.steady()),
    );
    if (turns > 0)
      log.info(
        { turns, conversations, maxBytes: most },
        'conversation budget is full: deleted the oldest turns of the least recently used conversations',
      );
  };
  const measureAll = async (names: readonly string[]): Promise<void> => {
    for (let at = 0; at < names.length; at += measuredAtOnce) {
      const some = names.slice(at, at + measuredAtOnce);
      await onRedis(redis, () => redis.measureConversations(...some));
    }
  };

  return {
    /**
     * Call after a conversation has grown. Never fails: the turn has ended well, and the next call tries
     * again.
     */
    tend: (name: string): Promise<void> =>
      tendNow(name).catch((error) => log.warn({ err: error }, 'failed to measure conversations')),

    /**
     * Measures all conversations, unless that was done recently. Conversations from an earlier version or a
     * backup have no recorded size yet.
     */
    async recount(): Promise<void> {
      const lately = keys.conversationRecount;
      if (!(await notSaved.claim(lately.of(), lately.lastsS))) return;
      for (const scan of ['zscan', 'hscan'] as const) {
        const key = scan === 'zscan' ? conversationsKey : keys.conversationSizes.of();
        for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
          const [next, found] = await onRedis(redis, () =>
            redis[scan](key, cursor, 'COUNT', 2 * measuredAtOnce),
          );
          await measureAll(found.filter((_entry, place) => place % 2 === 0));
          cursor = next;
        }
      }
    },

    async room(): Promise<ConversationRoom> {
      const [used, given] = await onRedis(redis, () =>
        Promise.all([redis.get(keys.conversationBytes.of()), redis.hgetall(keys.conversationsGivenUp.of())]),
      );
      return {
        usedBytes: Number(used ?? 0),
        maxBytes: await maxBytes(),
        givenUp: { turns: Number(given['turns'] ?? 0), conversations: Number(given['conversations'] ?? 0) },
      };
    },
  };
}

/** Measures all conversations at startup and periodically. */
export function startRecounts({
  redis,
  budget,
  log,
}: {
  redis: Redis;
  budget: ConversationBudget;
  log: Pick<Logger, 'warn'>;
}) {
  const recount = (): void =>
    void budget.recount().catch((error) => log.warn({ err: error }, 'failed to count conversations'));
  redis.on('ready', recount);
  const timer = setInterval(recount, recountEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** The byte budget, from Redis' memory limit (0: none) and the megabytes that the household wants. */
function budgetBytes(redisMost: number, wantedMb: number | null): number {
  const shareOf = (share: number) => Math.max(minBytes, redisMost * share);
  if (wantedMb === null) return redisMost > 0 ? shareOf(usualShare) : bytesWithoutLimit;
  return Math.min(wantedMb * 1e6, redisMost > 0 ? shareOf(maxShare) : Number.POSITIVE_INFINITY);
}
