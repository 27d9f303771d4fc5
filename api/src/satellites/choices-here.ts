import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { type ChoiceStore, choiceChannel } from './choice-store.ts';
import { type HouseholdChoice, nothingChosen } from './household-choice.ts';

interface ChoicesHereOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  store: Pick<ChoiceStore, 'all'>;
  onError: (error: unknown) => void;
}

export type ChoicesHere = ReturnType<typeof createChoicesHere>;

/**
 * Keeps the household's satellite settings in memory. While Redis is unavailable, the last copy stays in use.
 */
export function createChoicesHere({ redis, subscriber, store, onError }: ChoicesHereOptions) {
  let known = new Map<string, HouseholdChoice>();
  const listeners = new Map<string, () => void>();
  keepFresh({
    ...{ redis, subscriber, channel: choiceChannel, onError },
    read: async () => {
      known = await store.all();
      for (const tell of listeners.values()) tell();
    },
  });
  return {
    /** The settings for a satellite name. Null: it has no name. */
    now: (client: string | null): HouseholdChoice => known.get(client ?? '') ?? nothingChosen,
    /** Registers a callback for changes. */
    follow: (session: string, tell: () => void): void => void listeners.set(session, tell),
    leave: (session: string): void => void listeners.delete(session),
  };
}
