import type { Redis } from 'ioredis';
import { z } from 'zod';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { Exchange } from '../turn/turn.ts';

/** After this nobody means the question any more with a yes. */
const answerableMs = 60_000;

const askedSchema = z.object({
  /** What was asked: "doubt", "list.clear". */
  kind: z.string(),
  /** What it was asked about, as its kind needs it. */
  about: z.record(z.string(), z.string()),
  /** Unix time in ms. */
  at: z.number(),
});

export type Asked = z.infer<typeof askedSchema>;

export type PendingQuestions = ReturnType<typeof createPendingQuestions>;

/** What the assistant asked back, by the turn in which it did: the next turn may be the answer. */
export function createPendingQuestions({ redis }: { redis: Redis }) {
  return {
    async note(turnId: string, asked: Asked): Promise<void> {
      await onRedis(redis, () => redis.set(askedKey(turnId), JSON.stringify(asked), 'EX', keys.asked.lastsS));
    },

    /** What was asked by the last words of a conversation. Null: they were no question, or it was too long ago. */
    async last(exchanges: readonly Exchange[], now: number): Promise<Asked | null> {
      const turnId = exchanges.at(-1)?.turn;
      if (turnId === undefined) return null;
      const found = await onRedis(redis, () => redis.get(askedKey(turnId)));
      const asked = found === null ? null : askedSchema.parse(JSON.parse(found));
      return asked && now - asked.at <= answerableMs ? asked : null;
    },
  };
}

function askedKey(turnId: string): string {
  return keys.asked.of(turnId);
}
