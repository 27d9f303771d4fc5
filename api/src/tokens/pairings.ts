import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { digestOf, scopes } from './device-token.ts';

const codeBytes = 16;

const pairingSchema = z.object({
  scope: z.enum(scopes),
  /** Null: the phone says what it is. */
  name: z.string().nullable(),
  madeBy: z.string().nullable(),
});

/** What a phone gets for the code of a link. */
export type Pairing = z.infer<typeof pairingSchema>;

/** How long a link holds. */
export const pairingLastsS = keys.pairing.lastsS;

export type Pairings = ReturnType<typeof createPairings>;

/** Links with which a phone gets a token of its own, each only once. Of a code only its hash is kept. */
export function createPairings({ redis }: { redis: Redis }) {
  const keyOf = (code: string) => keys.pairing.of(digestOf(code).toString('hex'));

  return {
    /** Returns the code: 128 random bits, which nobody guesses in ten minutes. */
    async begin(pairing: Pairing): Promise<string> {
      const code = randomBytes(codeBytes).toString('base64url');
      await onRedis(redis, () => redis.set(keyOf(code), JSON.stringify(pairing), 'EX', pairingLastsS));
      return code;
    },
    /** What the code stands for, to the first who asks; null: nothing, or nothing any more. */
    async take(code: string): Promise<Pairing | null> {
      const json = await onRedis(redis, () => redis.getdel(keyOf(code)));
      return json === null ? null : (pairingSchema.safeParse(parseJson(json)).data ?? null);
    },
  };
}
