import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Permissions of a token. Each includes the ones before it. Only `lend` includes lending: a machine with
 * engines hears and answers for all, so it needs more trust.
 */
export const scopes = ['lend', 'talk', 'look', 'administer'] as const;
export type Scope = (typeof scopes)[number];

/** The token of a device or program. The token itself is never stored. */
export interface DeviceToken {
  name: string;
  /** SHA-256 of the token in hexadecimal. */
  hash: string;
  scope: Scope;
  /** Unix time in ms. */
  madeAt: number;
  /** The name of the token that created it. Null: no token was needed. */
  madeBy: string | null;
  /** A machine that lends engines and gets no new calls, until someone changes that. */
  isDraining?: boolean | undefined;
  /** The engines that it has lent last. */
  lends?: readonly string[] | undefined;
  /** It is woken when the household needs it. */
  isWoken?: boolean | undefined;
  /** The hardware address of its network card, and the address for a packet that wakes it. */
  mac?: string | undefined;
  wakeAddress?: string | undefined;
  /** A person chose these two, so the machine does not change them. */
  isAddressChosen?: boolean | undefined;
}

/** The fields of a machine that lends engines, which may change. */
export type MachineFields = Partial<
  Pick<DeviceToken, 'isDraining' | 'lends' | 'isWoken' | 'mac' | 'wakeAddress' | 'isAddressChosen'>
>;

/** Prefix of every token, so that tokens are recognizable anywhere. */
const tokenPrefix = 'hearth_';
const secretBytes = 32;

export function newSecret(): string {
  return `${tokenPrefix}${randomBytes(secretBytes).toString('base64url')}`;
}

/**
 * The hash of a token for storage and comparison. Its 256 random bits cannot be guessed, so a fast hash
 * suffices. Slow, salted hashes are for passwords that people choose.
 */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Finds a token by its digest. Compares all tokens in constant time, so that timing reveals nothing. */
export function matchOf<Token extends { digest: Buffer }>(
  tokens: readonly Token[],
  digest: Buffer,
): Token | undefined {
  let found: Token | undefined;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest)) found = token;
  return found;
}

export function covers(scope: Scope, needed: Scope): boolean {
  if (scope === 'lend' || needed === 'lend') return scope === needed;
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}
