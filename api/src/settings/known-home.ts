import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { homeChannel } from './home-store.ts';

interface KnownHomeOptions<Home> {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** What the environment says, which wins; null: nothing. */
  fixed: Home | null;
  /** What was given on the page. */
  read: () => Promise<Home | null>;
  /** Is told of each other one. */
  onChange?: (home: Home | null) => void;
  onError: (error: Error) => void;
}

/** Which Home Assistant this process works with: that of the environment, or else that of the page, from its change on. */
export function createKnownHome<Home>(options: KnownHomeOptions<Home>) {
  const { fixed, read, onChange = () => undefined } = options;
  const begun = Promise.withResolvers<void>();
  let current = fixed;
  const take = (found: Home | null): void => {
    const isOther = !isDeepStrictEqual(found, current);
    current = found;
    if (isOther) onChange(found);
    begun.resolve();
  };
  if (fixed === null) keepFresh({ ...options, channel: homeChannel, read: async () => take(await read()) });
  else begun.resolve();
  return {
    current: () => current,
    /** Settles when it is known for the first time. */
    begun: begun.promise,
  };
}
