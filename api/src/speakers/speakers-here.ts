import type { Redis } from 'ioredis';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keepFresh } from '../redis/refresher.ts';
import {
  changedSpeaker,
  type SpeakerChange,
  type StoredSpeaker,
  speakerAt,
  untouchedSpeaker,
} from './speaker.ts';
import { type SpeakerStore, speakerChannel } from './speaker-store.ts';

interface SpeakersHereOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  store: Pick<SpeakerStore, 'all' | 'put' | 'forget'>;
  clock?: HouseholdClock;
  onError: (error: unknown) => void;
}

export type SpeakersHere = ReturnType<typeof createSpeakersHere>;

/**
 * Keeps the loudspeakers in memory. While Redis is unavailable, the copy stays in use, with the changes made
 * here.
 */
export function createSpeakersHere(options: SpeakersHereOptions) {
  const { redis, subscriber, store, clock = machineClock, onError } = options;
  let known = new Map<string, StoredSpeaker>();
  const listeners = new Map<string, () => void>();
  const tellAll = (): void => {
    for (const tell of listeners.values()) tell();
  };
  keepFresh({
    redis,
    subscriber,
    channel: speakerChannel,
    read: async () => {
      known = await store.all();
      tellAll();
    },
    onError,
  });
  const now = (name: string): StoredSpeaker => speakerAt(known.get(name) ?? untouchedSpeaker, clock.steady());

  return {
    now,
    /** Remaining time until a moment in steady time. */
    leftMs: (until: number): number => Math.max(0, until - clock.steady()),
    /** The wall clock time after this delay. */
    wallAfter: (ms: number): string => new Date(Math.round(clock.now() + ms)).toISOString(),
    /** A satellite has changed its own loudspeaker. */
    change(name: string, change: SpeakerChange): void {
      const after = changedSpeaker(now(name), change, { now: clock.steady(), turn: null });
      known.set(name, after);
      tellAll();
      store.put(name, after).catch(onError);
    },
    /** Registers a callback for changes. */
    follow: (session: string, tell: () => void): void => void listeners.set(session, tell),
    leave(session: string): void {
      listeners.delete(session);
    },
    /** Deletes the entry of an unnamed satellite that has disconnected. */
    forget(name: string): void {
      if (known.delete(name)) store.forget(name).catch(onError);
    },
  };
}
