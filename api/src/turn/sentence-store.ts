import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';

/** Stores the sentences of replies until they are spoken. Jobs carry only the ids. */
export function createSentenceStore(redis: Redis) {
  const notSaved = createUnsaved(redis);
  return {
    saveSentence: (id: string, text: string): Promise<void> =>
      notSaved.set(keys.sentence.of(id), text, keys.sentence.lastsS),
    readSentence: (id: string): Promise<string | null> =>
      onRedis(redis, () => redis.get(keys.sentence.of(id))),
    forgetSentence: (id: string): Promise<void> => notSaved.del(keys.sentence.of(id)),
  };
}

/** Id of one sentence of a turn's reply. */
export function sentenceId(turnId: string, seq: number): string {
  return `${turnId}-${seq}`;
}
