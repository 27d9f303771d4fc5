import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Exchange } from '../conversations/exchange.ts';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { Turn } from '../turn/turn.ts';

/** After this time, a yes does not refer to the question any more. */
const answerableMs = 60_000;

/** When it was asked, as Unix time in ms. */
const askedSchema = z.object({ at: z.number() });

interface PendingQuestionsOptions<Q> {
  redis: Redis;
  /** The schema of all kinds of questions. */
  schema: z.ZodType<Q>;
}

export type PendingQuestions<Q extends object> = ReturnType<typeof createPendingQuestions<Q>>;

/** Stores the assistant's questions by turn, because the next turn may be the answer. */
export function createPendingQuestions<Q extends object>({ redis, schema }: PendingQuestionsOptions<Q>) {
  /** Several responders ask about the same conversation in a turn; the record of an earlier turn stays. */
  const read = new WeakMap<Exchange, Promise<string | null>>();
  /** Read with the conversation, unless the exchange comes from elsewhere. */
  const recordOf = (exchange: Exchange, turn: string): Promise<string | null> => {
    if (exchange.pendingQuestion !== undefined) return Promise.resolve(exchange.pendingQuestion);
    const known = read.get(exchange);
    if (known !== undefined) return known;
    const record = onRedis(redis, () => redis.get(askedKey(turn)));
    read.set(exchange, record);
    return record;
  };

  return {
    async note({ id, createdAt: at }: Pick<Turn, 'id' | 'createdAt'>, question: Q): Promise<void> {
      const record = JSON.stringify({ ...question, at });
      await onRedis(redis, () => redis.set(askedKey(id), record, 'EX', keys.asked.lastsS));
    },

    /**
     * The question at the end of a conversation. Null: there is none, it is too old, or another version wrote
     * it.
     */
    async last(exchanges: readonly Exchange[], now: number): Promise<Q | null> {
      const last = exchanges.at(-1);
      if (last?.turn === undefined) return null;
      const found = await recordOf(last, last.turn);
      const record = found === null ? null : parseJson(found);
      const question = askedSchema.safeParse(record).data;
      const isOpen = question !== undefined && now - question.at <= answerableMs;
      return (isOpen && schema.safeParse(record).data) || null;
    },
  };
}

function askedKey(turnId: string): string {
  return keys.asked.of(turnId);
}
