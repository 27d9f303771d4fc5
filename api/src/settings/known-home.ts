import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { homeChannel } from './home-store.ts';

interface KnownHomeOptions<Home> {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** The value from the environment, which takes precedence. Null: none. */
  fixed: Home | null;
  /** Reads the value entered on the page. */
  read: () => Promise<Home | null>;
  /** Called after every change. */
  onChange?: (home: Home | null) => void;
  onError: (error: Error) => void;
}

/** Tracks the Home Assistant of this process: the one from the environment, or else the one from the page. */
export function createKnownHome<Home>(options: KnownHomeOptions<Home>) {
  const { redis, subscriber, fixed, read, onChange = () => undefined, onError } = options;
  const begun = Promise.withResolvers<void>();
  let current = fixed;
  const take = (found: Home | null): void => {
    const isOther = !isDeepStrictEqual(found, current);
    current = found;
    if (isOther) onChange(found);
    begun.resolve();
  };
  const readAndTake = async () => take(await read());
  if (fixed === null) keepFresh({ redis, subscriber, channel: homeChannel, read: readAndTake, onError });
  else begun.resolve();
  return {
    current: () => current,
    /** Resolves when it is known for the first time. */
    begun: begun.promise,
  };
}
