import type { Redis } from 'ioredis';
import { idlePriority, type Queues, type WarmPayload } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';

/** Later, the question itself is on its way. */
const preloadMs = 3_000;

interface PreloadOptions {
  redis: Redis;
  queues: Pick<Queues, 'think'>;
  clock?: HouseholdClock;
}

export type PreloadConversation = ReturnType<typeof createConversationPreload>;

/** Preloads a conversation into the language model when someone begins to speak. Fire and forget. */
export function createConversationPreload({ redis, queues, clock = machineClock }: PreloadOptions) {
  return (spoken: Pick<WarmPayload, 'conversation' | 'room' | 'language' | 'revision'>): void => {
    const payload = { ...spoken, deadlineAt: Math.round(clock.steady() + preloadMs) };
    onRedis(redis, () => queues.think.add('warm', payload, { priority: idlePriority })).catch(
      () => undefined,
    );
  };
}
