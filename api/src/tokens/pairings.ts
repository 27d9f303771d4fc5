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
  /** Null: the phone chooses its name. */
  name: z.string().nullable(),
  madeBy: z.string().nullable(),
});

/** The content of a pairing link. */
export type Pairing = z.infer<typeof pairingSchema>;

/** Lifetime of a link, in seconds. */
export const pairingLastsS = keys.pairing.lastsS;

export type Pairings = ReturnType<typeof createPairings>;

/** Single-use links that give a phone its own token. Only hashes of the codes are stored. */
export function createPairings({ redis }: { redis: Redis }) {
  const keyOf = (code: string) => keys.pairing.of(digestOf(code).toString('hex'));

  return {
    /** Returns the code: 128 random bits, valid for ten minutes. */
    async begin(pairing: Pairing): Promise<string> {
      const code = randomBytes(codeBytes).toString('base64url');
      await onRedis(redis, () => redis.set(keyOf(code), JSON.stringify(pairing), 'EX', pairingLastsS));
      return code;
    },
    /** Redeems a code once. Null: unknown, used or expired. */
    async take(code: string): Promise<Pairing | null> {
      const json = await onRedis(redis, () => redis.getdel(keyOf(code)));
      return json === null ? null : (pairingSchema.safeParse(parseJson(json)).data ?? null);
    },
  };
}
