import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

const commandSchema = z.object({
  /** Its subject: "the kitchen lights". */
  target: z.string(),
  /** The command as it would be said of another room, with a place {area} for that; '': it cannot be. */
  elsewhere: z.string(),
});

/** Where a conversation's last command is. */
export function lastCommandKey(conversation: string): string {
  return keys.lastCommand.of(conversation);
}

export type LastCommand = ReturnType<typeof createLastCommand>;

/** The last command to the house in each conversation: what is said next may refer to it. */
export function createLastCommand({ redis }: { redis: Redis }) {
  return {
    async note(conversation: string | null, command: z.infer<typeof commandSchema>): Promise<void> {
      if (conversation === null) return;
      await onRedis(redis, () =>
        redis.set(lastCommandKey(conversation), JSON.stringify(command), 'EX', keys.lastCommand.lastsS),
      );
    },
    /** Null: there was none of late. */
    async read(conversation: string | null): Promise<z.infer<typeof commandSchema> | null> {
      if (conversation === null) return null;
      const found = await onRedis(redis, () => redis.get(lastCommandKey(conversation)));
      // One that cannot be read is as good as none: it is forgotten in two minutes anyway.
      return commandSchema.safeParse(parseJson(found ?? '')).data ?? null;
    },
  };
}
