import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { createNamedRecords } from '../redis/named-records.ts';
import {
  changedSpeaker,
  type SpeakerChange,
  type StoredSpeaker,
  speakerAt,
  speakerSchema,
  untouchedSpeaker,
} from './speaker.ts';

/** Announces that a loudspeaker was changed, without saying which. */
export const speakerChannel = 'hearth:speaker-news';
/** More than any household has. */
const maxKept = 500;

export type SpeakerStore = ReturnType<typeof createSpeakerStore>;

interface StoreOptions {
  redis: Redis;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** Stores the loudspeakers that someone has set, by the names of their satellites. */
export function createSpeakerStore({ redis, steady }: StoreOptions) {
  const kept = createNamedRecords({
    ...{ redis, key: keys.speakers.of(), channel: speakerChannel, schema: speakerSchema, maxKept, steady },
  });
  const read = async (name: string): Promise<StoredSpeaker> =>
    speakerAt((await kept.read(name)) ?? untouchedSpeaker, steady());

  return {
    ...kept,
    /** The current state. */
    read,
    /** Changes it and returns the new state. */
    async change(name: string, change: SpeakerChange, turn: string | null): Promise<StoredSpeaker> {
      const after = changedSpeaker(await read(name), change, { now: steady(), turn });
      await kept.put(name, after);
      return after;
    },
  };
}
