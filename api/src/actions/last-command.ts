import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

const commandSchema = z.object({
  /** Its subject: "the kitchen lights". */
  target: z.string(),
  /**
   * The command for another room, with the placeholder {area}; without a grammar of the house, the command
   * itself. '': not applicable.
   */
  elsewhere: z.string(),
  /** The turn that said it, or a part of it. */
  turn: z.string().default(''),
  /** Its words; '': it was a question. */
  text: z.string().default(''),
  isQuestion: z.boolean().default(false),
  /** The words of the question. '': it was a command. */
  question: z.string().default(''),
  /** The entities that it changed, or that a question and its answer named. */
  things: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
});

/** "Dimmer" and "turn them all off" are for no more entities. */
const maxThings = 50;

/** Key of a conversation's last command. */
export function lastCommandKey(conversation: string): string {
  return keys.lastCommand.of(conversation);
}

export type SaidOfHouse = z.infer<typeof commandSchema>;

export type LastCommand = ReturnType<typeof createLastCommand>;

/**
 * Stores the last command to the house, or the entities of the last answer, for each conversation. The next
 * sentence may refer to them.
 */
export function createLastCommand({ redis }: { redis: Redis }) {
  return {
    async note(conversation: string | null, command: z.input<typeof commandSchema>): Promise<void> {
      if (conversation === null) return;
      const kept = { ...command, things: command.things?.slice(0, maxThings) };
      await onRedis(redis, () =>
        redis.set(lastCommandKey(conversation), JSON.stringify(kept), 'EX', keys.lastCommand.lastsS),
      );
    },
    /** Null: there was no recent one. */
    async read(conversation: string | null): Promise<z.infer<typeof commandSchema> | null> {
      if (conversation === null) return null;
      const found = await onRedis(redis, () => redis.get(lastCommandKey(conversation)));
      // An unreadable record counts as missing. It expires within two minutes.
      return commandSchema.safeParse(parseJson(found ?? '')).data ?? null;
    },
  };
}
