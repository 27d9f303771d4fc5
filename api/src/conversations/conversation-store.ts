import type { Redis, Result } from 'ioredis';
import { type OnUnreadable, readLines } from '../redis/json-lines.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';

/**
 * How many turns a conversation keeps, and for how many days after the last one. The household can set other
 * limits.
 */
export const conversationLimits = { turns: 200, days: 30 };

declare module 'ioredis' {
  interface RedisCommander<Context> {
    readConversation(
      exchanges: string,
      meta: string,
      lastExchanges: number,
    ): Result<[number, string[], [string, string | null][]], Context>;
  }
}

/** Number of exchanges whose questions are read with them. Some responders look further back than one. */
const withQuestions = 3;

/**
 * Reads exchanges from `promptFrom` on. Positions count from the start of the conversation, so deleting old
 * exchanges does not shift them. Returns the position of the first exchange, the exchanges, and the pending
 * question of each of the last turns. ARGV: the number of these turns.
 */
const readScript = `
local count = tonumber(redis.call('HGET', KEYS[2], 'count') or '0')
local oldest = count - redis.call('LLEN', KEYS[1])
local from = math.max(tonumber(redis.call('HGET', KEYS[2], 'promptFrom') or '0'), oldest)
local found = redis.call('LRANGE', KEYS[1], from - oldest, -1)
local questions = {}
for at = math.max(1, #found - ARGV[1] + 1), #found do
  local isReadable, exchange = pcall(cjson.decode, found[at])
  local turn = isReadable and type(exchange) == 'table' and exchange['turn']
  if type(turn) == 'string' then
    table.insert(questions, { turn, redis.call('GET', ${keys.asked.inLua('turn')}) })
  end
end
return { from, found, questions }`;

export interface History {
  exchanges: Exchange[];
  /** Position of the first exchange, counted from the start of the conversation. */
  from: number;
}

/** The store of the exchanges, and the callback for unreadable ones. */
export interface ExchangeStorage {
  redis: Redis;
  onUnreadable?: OnUnreadable | undefined;
}

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** Reads earlier exchanges by conversation name. The turn store adds new ones when their turn ends. */
export function createConversationStore({ redis, onUnreadable }: ExchangeStorage) {
  redis.defineCommand('readConversation', { numberOfKeys: 2, lua: readScript });

  return {
    /** The part of the conversation that belongs in the prompt, oldest first. */
    async read(name: string): Promise<History> {
      const { exchanges, meta } = conversationKeys(name);
      const [from, found, questions] = await onRedis(redis, () =>
        redis.readConversation(exchanges, meta, withQuestions),
      );
      const read = readLines(exchanges, found, { schema: exchangeSchema, onUnreadable });
      return { from: Number(from), exchanges: asking(read, new Map(questions)) };
    },
  };
}

/** Adds the pending question of each turn that was read. */
function asking(exchanges: readonly Exchange[], questions: ReadonlyMap<string, string | null>): Exchange[] {
  return exchanges.map((exchange) => {
    const pendingQuestion = exchange.turn === undefined ? undefined : questions.get(exchange.turn);
    return pendingQuestion === undefined ? exchange : { ...exchange, pendingQuestion };
  });
}

/** Index of all conversation names, scored by the time of their last turn (Unix ms). */
export const conversationsKey = keys.conversations.of();

/**
 * The keys of one conversation. Names are at most 200 characters without control characters, so they need no
 * hashing.
 */
export function conversationKeys(name: string): { exchanges: string; meta: string; actions: string } {
  return {
    exchanges: keys.exchanges.of(name),
    meta: keys.conversation.of(name),
    actions: keys.actions.of(name),
  };
}
