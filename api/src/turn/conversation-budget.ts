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

/** Of the memory that Redis may use, where the household wants no number of its own: timers, lists and turns in hand need the rest. */
const usualShare = 0.5;
const maxShare = 0.75;
/** A limit so low is none that conversations could keep. */
const leastBytes = 8e6;
const bytesWithoutLimit = 256e6;

/** So many turns are forgotten in one step, in which Redis does nothing else. */
const maxAtOnce = 500;
/** So many are measured in one step. */
const measuredAtOnce = 100;
const limitIsOldMs = 60_000;
const tended = [keys.conversations, keys.conversationBytes, keys.openTurns, keys.conversationsGivenUp].map(
  (each) => each.of(),
);
/** Whether they are measured then depends on when they last were. */
const recountEveryMs = 60_000;

/** ARGV: names. */
const measureScript = `${measureLua}
for _, name in ipairs(ARGV) do measure(name) end
return redis.call('GET', '${keys.conversationBytes.of()}')`;

/**
 * KEYS: all conversations, the bytes of all, turns that are not over, what was given up. ARGV: a conversation that has kept something, from where on others give way, how many bytes may stay then, now. Those that were unused for longest
 * give up their oldest turns, but none in which a turn is not over. The newest turn of the given one stays. Returns how many turns
 * and how many whole conversations were forgotten.
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

/** How much room conversations take. */
export interface ConversationRoom {
  usedBytes: number;
  maxBytes: number;
  /** What was forgotten within the last day for want of room. */
  givenUp: { turns: number; conversations: number };
}

interface ConversationBudgetOptions {
  redis: Redis;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The number that the household wants; null: none. */
  wantedMb: () => number | null;
  clock?: HouseholdClock;
}

export type ConversationBudget = ReturnType<typeof createConversationBudget>;

/**
 * The room that all conversations may take together. A turn that ends has its conversation measured; where that is too much, those that were unused for
 * longest give way, so that there is always room for timers and lists.
 */
export function createConversationBudget(options: ConversationBudgetOptions) {
  const { redis, log, wantedMb, clock = machineClock } = options;
  redis.defineCommand('tendConversations', { numberOfKeys: 4, lua: tendScript });
  redis.defineCommand('measureConversations', { numberOfKeys: 0, lua: measureScript });
  const notSaved = createUnsaved(redis);
  let limit: { bytes: number; atMs: number } | undefined;

  const maxBytes = async (): Promise<number> => {
    if (limit === undefined || performance.now() - limit.atMs > limitIsOldMs) {
      const told = await onRedis(redis, () => redis.info('memory'));
      limit = { bytes: Number(/^maxmemory:(\d+)/m.exec(told)?.[1] ?? 0), atMs: performance.now() };
    }
    return budgetBytes(limit.bytes, wantedMb());
  };
  const tendNow = async (name: string): Promise<void> => {
    const most = await maxBytes();
    // Between the end of a turn and this others may end too. What they keep has its place above the first number.
    const marks = [Math.round(0.95 * most), Math.round(0.9 * most)];
    const [turns, conversations] = await onRedis(redis, () =>
      redis.tendConversations(...tended, name, ...marks, clock.steady()),
    );
    if (turns > 0)
      log.info(
        { turns, conversations, maxBytes: most },
        'the room for conversations is used up: the oldest turns of those unused for longest were forgotten',
      );
  };
  const measureAll = async (names: readonly string[]): Promise<void> => {
    for (let at = 0; at < names.length; at += measuredAtOnce) {
      const some = names.slice(at, at + measuredAtOnce);
      await onRedis(redis, () => redis.measureConversations(...some));
    }
  };

  return {
    /** A conversation has kept something. Never fails: its turn has ended well, and the next one tries again. */
    tend: (name: string): Promise<void> =>
      tendNow(name).catch((error) => log.warn({ err: error }, 'conversations were not measured')),

    /** Measures all of them, unless that was done lately: those of an earlier version and of a backup were never counted. */
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

/** Measures all conversations at the start and now and then. */
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
    void budget.recount().catch((error) => log.warn({ err: error }, 'conversations were not counted'));
  redis.on('ready', recount);
  const timer = setInterval(recount, recountEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** The bytes that all conversations may take, by the memory that Redis may use (0: no limit) and the megabytes that the household wants. */
export function budgetBytes(redisMost: number, wantedMb: number | null): number {
  const shareOf = (share: number) => Math.max(leastBytes, redisMost * share);
  if (wantedMb === null) return redisMost > 0 ? shareOf(usualShare) : bytesWithoutLimit;
  return Math.min(wantedMb * 1e6, redisMost > 0 ? shareOf(maxShare) : Number.POSITIVE_INFINITY);
}
