import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

const schema = z.object({
  isOpen: z.boolean(),
  /** Time by the steady clock, in ms, at which an unconfirmed change reverts. Null: nothing is pending. */
  revertsAtMs: z.number().nullable(),
});

/** Whether the page opened Hearth to the home network. */
export type NetworkChoice = Readonly<z.infer<typeof schema>>;

/** Announces that the choice changed. */
export const networkChannel = 'hearth:network-news';

export const closed: NetworkChoice = { isOpen: false, revertsAtMs: null };

/** The choice that holds at this time: an unconfirmed change ends when its time is up. */
export function choiceAt({ isOpen, revertsAtMs }: NetworkChoice, nowMs: number): NetworkChoice {
  const isOver = revertsAtMs !== null && revertsAtMs <= nowMs;
  return isOver ? { isOpen: !isOpen, revertsAtMs: null } : { isOpen, revertsAtMs };
}

export function createNetworkStore({ redis }: { redis: Redis }) {
  const key = keys.network.of();
  return {
    /** Without a readable choice, Hearth is closed. */
    async read(): Promise<NetworkChoice> {
      const text = await onRedis(redis, () => redis.get(key));
      return schema.safeParse(parseJson(text ?? '')).data ?? closed;
    },
    keep: (choice: NetworkChoice) =>
      onRedis(redis, () =>
        redis.multi().set(key, JSON.stringify(choice)).publish(channelOn(redis, networkChannel), '').exec(),
      ),
  };
}
