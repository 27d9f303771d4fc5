import type { Redis } from 'ioredis';
import type { Queues } from '../jobs/queues.ts';
import { channelOn } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';
import { cancelChannel } from '../turn/turn-events.ts';

/** Removes the waiting jobs of a turn, and aborts its running one in whichever worker has it. */
export async function stopWork(
  { redis, queues }: { redis: Redis; queues: Queues },
  id: string,
): Promise<void> {
  const first = [queues.transcribe, queues.respond, queues.think];
  await onRedis(redis, () =>
    Promise.all([
      ...first.map((queue) => queue.remove(id)),
      redis.publish(channelOn(redis, cancelChannel), id),
    ]),
  );
}
