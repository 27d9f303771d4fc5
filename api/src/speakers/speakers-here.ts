import type { Redis } from 'ioredis';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keepFresh } from '../redis/refresher.ts';
import {
  changedSpeaker,
  type KeptSpeaker,
  type SpeakerChange,
  speakerAt,
  untouchedSpeaker,
} from './speaker.ts';
import { type SpeakerStore, speakerChannel } from './speaker-store.ts';

interface SpeakersHereOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  store: Pick<SpeakerStore, 'all' | 'put' | 'forget'>;
  clock?: HouseholdClock;
  onError: (error: unknown) => void;
}

export type SpeakersHere = ReturnType<typeof createSpeakersHere>;

/** What is kept of all loudspeakers, at hand in this process. While Redis is away, it goes on, and what is changed here counts here. */
export function createSpeakersHere(options: SpeakersHereOptions) {
  const { redis, subscriber, store, clock = machineClock, onError } = options;
  let known = new Map<string, KeptSpeaker>();
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
  const now = (name: string): KeptSpeaker => speakerAt(known.get(name) ?? untouchedSpeaker, clock.steady());

  return {
    now,
    /** How long it is until a moment of the household's steady time. */
    leftMs: (until: number): number => Math.max(0, until - clock.steady()),
    /** The moment that long from now, as the clock on the wall shows it. */
    wallAfter: (ms: number): string => new Date(Math.round(clock.now() + ms)).toISOString(),
    /** A satellite has changed its own. */
    change(name: string, change: SpeakerChange): void {
      const after = changedSpeaker(now(name), change, { now: clock.steady(), turn: null });
      known.set(name, after);
      tellAll();
      store.put(name, after).catch(onError);
    },
    /** The satellite may look whether its own has changed. */
    follow: (session: string, tell: () => void): void => void listeners.set(session, tell),
    leave(session: string): void {
      listeners.delete(session);
    },
    /** The satellite had no name of its own, and is gone. */
    forget(name: string): void {
      if (known.delete(name)) store.forget(name).catch(onError);
    },
  };
}
