import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a token may do, each more than the one before it. */
export const scopes = ['talk', 'look', 'administer'] as const;
export type Scope = (typeof scopes)[number];

/** The token of one device or program, as it is known. The token itself is not kept anywhere. */
export interface DeviceToken {
  name: string;
  /** SHA-256 of the token, as hexadecimal. */
  hash: string;
  scope: Scope;
  /** Unix time in ms. */
  madeAt: number;
  /** The name of the token with which it was made; null if none was needed. */
  madeBy: string | null;
}

/** Begins every token that is made here, so that one is recognized wherever it turns up. */
export const tokenPrefix = 'hearth_';
const secretBytes = 32;

export function newSecret(): string {
  return `${tokenPrefix}${randomBytes(secretBytes).toString('base64url')}`;
}

/**
 * A token as it is compared and kept. Its 256 random bits cannot be guessed, so a fast hash is right: slow and salted ones are for passwords that
 * people choose.
 */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Finds the token of a digest. All are compared, each in the same time, so that the time tells nothing of any. */
export function matchOf<Token extends { digest: Buffer }>(
  tokens: readonly Token[],
  digest: Buffer,
): Token | undefined {
  let found: Token | undefined;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest)) found = token;
  return found;
}

export function covers(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}
