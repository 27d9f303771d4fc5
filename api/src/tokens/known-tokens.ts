import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { type DeviceToken, matchOf } from './device-token.ts';
import { type TokenStore, tokensChannel } from './token-store.ts';

interface KnownTokensOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  store: Pick<TokenStore, 'all'>;
  onError: (error: Error) => void;
}

export type KnownTokens = ReturnType<typeof createKnownTokens>;

/** The tokens that this process knows, so that no request waits for Redis, and none needs it. */
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
    /** Settles when they were read for the first time. */
    begun: begun.promise,
    /** Whether they were ever read. */
    get isRead(): boolean {
      return isRead;
    },
    get isEmpty(): boolean {
      return known.length === 0;
    },
    find: (digest: Buffer): DeviceToken | undefined => matchOf(known, digest),
    has: (hash: string): boolean => known.some((token) => token.hash === hash),
    /** Reads what Redis has now. */
    refresh,
    /** Is told whenever they were read. */
    onRead: (listener: () => void) => void listeners.add(listener),
  };
}
