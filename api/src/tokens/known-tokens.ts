import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { type DeviceToken, matchOf } from './device-token.ts';
import { type TokenStore, tokensChannel } from './token-store.ts';

interface KnownTokensOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  store: Pick<TokenStore, 'all'>;
  onError: (error: Error) => void;
}

export type KnownTokens = ReturnType<typeof createKnownTokens>;

/** Keeps the tokens in memory, so that no request needs Redis. */
export function createKnownTokens({ redis, subscriber, store, onError }: KnownTokensOptions) {
  const begun = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();
  let known: readonly (DeviceToken & { digest: Buffer })[] = [];
  let isRead = false;

  const refresh = keepFresh({
    redis,
    subscriber,
    channel: tokensChannel,
    read: async () => {
      known = (await store.all()).map((token) => ({ ...token, digest: Buffer.from(token.hash, 'hex') }));
      isRead = true;
      begun.resolve();
      for (const listener of listeners) listener();
    },
    onError,
  });

  return {
    /** Resolves after the first read. */
    begun: begun.promise,
    /** Whether they were ever read. */
    get isRead(): boolean {
      return isRead;
    },
    get isEmpty(): boolean {
      return known.length === 0;
    },
    find: (digest: Buffer): DeviceToken | undefined => matchOf(known, digest),
    /** Names of the machines that get no new calls. */
    draining: (): ReadonlySet<string> =>
      new Set(known.flatMap(({ name, isDraining }) => (isDraining ? [name] : []))),
    /** The machines that may lend their engines, connected or not. */
    lenders: (): readonly DeviceToken[] => known.filter(({ scope }) => scope === 'lend'),
    has: (hash: string): boolean => known.some((token) => token.hash === hash),
    /** Reads the tokens from Redis now. */
    refresh,
    /** Registers a listener for every read. */
    onRead: (listener: () => void) => void listeners.add(listener),
  };
}
