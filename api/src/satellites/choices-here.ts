import type { Redis } from 'ioredis';
import { keepFresh } from '../redis/refresher.ts';
import { type ChoiceStore, choiceChannel } from './choice-store.ts';
import { type HouseholdChoice, nothingChosen } from './household-choice.ts';

interface ChoicesHereOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  store: Pick<ChoiceStore, 'all'>;
  onError: (error: unknown) => void;
}

export type ChoicesHere = ReturnType<typeof createChoicesHere>;

/** What the household has set of its satellites, at hand in this process. While Redis is away, what was read last goes on. */
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
    /** Of a satellite with this name; null: it has none. */
    now: (client: string | null): HouseholdChoice => known.get(client ?? '') ?? nothingChosen,
    /** The satellite may look whether something was set. */
    follow: (session: string, tell: () => void): void => void listeners.set(session, tell),
    leave: (session: string): void => void listeners.delete(session),
  };
}
