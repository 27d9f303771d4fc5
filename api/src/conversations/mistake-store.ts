import { z } from 'zod';
import { readLines } from '../redis/json-lines.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { ExchangeStorage } from './conversation-store.ts';
import type { ErasureScope } from './erasure.ts';
import { understandingSchema } from './exchange.ts';

/** Maximum number. The oldest mistakes are dropped. */
const maxMistakes = 200;

const mistakeSchema = z.object({
  turn: z.string(),
  conversation: z.string(),
  /** Unix time in ms of the question. */
  at: z.number(),
  user: z.string(),
  assistant: z.string(),
  understood: understandingSchema.optional(),
});

/** A question that Hearth misunderstood, as the household reported it. */
type Mistake = z.infer<typeof mistakeSchema>;

export type MistakeStore = ReturnType<typeof createMistakeStore>;

/** Stores reported mistakes, newest report first. They stay in the house. */
export function createMistakeStore({ redis, onUnreadable }: ExchangeStorage) {
  const key = keys.mistakes.of();
  const all = async (): Promise<Mistake[]> => {
    const lines = await onRedis(redis, () => redis.lrange(key, 0, -1));
    return readLines(key, lines, { schema: mistakeSchema, onUnreadable });
  };
  /** Returns how many were deleted. Unreadable lines stay, unless everything is deleted. */
  const removeWhere = async (isMeant: (mistake: Mistake) => boolean): Promise<number> => {
    const lines = await onRedis(redis, () => redis.lrange(key, 0, -1));
    const meant = lines.filter((line) =>
      readLines(key, [line], { schema: mistakeSchema, onUnreadable }).some(isMeant),
    );
    for (const line of meant) await onRedis(redis, () => redis.lrem(key, 0, line));
    return meant.length;
  };

  return {
    all,
    /** Keeps a mistake once, however often it is reported. */
    async keep(mistake: Mistake): Promise<void> {
      if ((await all()).some(({ turn }) => turn === mistake.turn)) return;
      await onRedis(redis, () =>
        redis
          .multi()
          .lpush(key, JSON.stringify(mistake))
          .ltrim(key, 0, maxMistakes - 1)
          .exec(),
      );
    },
    remove: (turn: string): Promise<number> => removeWhere((each) => each.turn === turn),
    /** Deletes all, with unreadable lines. Returns how many there were. */
    async clear(): Promise<number> {
      const count = await onRedis(redis, () => redis.llen(key));
      await onRedis(redis, () => redis.del(key));
      return count;
    },
    /** Deletes the mistakes of forgotten turns. */
    erase: (which: ErasureScope): Promise<number> => removeWhere((each) => isErased(each, which)),
  };
}

function isErased({ turn, conversation, at }: Mistake, which: ErasureScope): boolean {
  if ('turn' in which) return turn === which.turn;
  if ('conversation' in which) return conversation === which.conversation;
  return at < which.before && at >= (which.after ?? 0);
}
