import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

/** The sentences of replies, each until it is spoken. Jobs carry their ids alone. */
export function createSentenceStore(redis: Redis) {
  return {
    async saveSentence(id: string, text: string): Promise<void> {
      await onRedis(redis, () => redis.set(keys.sentence.of(id), text, 'EX', keys.sentence.lastsS));
    },
    readSentence: (id: string): Promise<string | null> =>
      onRedis(redis, () => redis.get(keys.sentence.of(id))),
  };
}

/** One sentence of a turn's reply. */
export function sentenceId(turnId: string, seq: number): string {
  return `${turnId}-${seq}`;
}
