import type { Redis } from 'ioredis';
import { createKeptByName } from '../redis/kept-by-name.ts';
import { keys } from '../redis/keys.ts';
import {
  changedSpeaker,
  type KeptSpeaker,
  type SpeakerChange,
  speakerAt,
  speakerSchema,
  untouchedSpeaker,
} from './speaker.ts';

/** Says that a loudspeaker has changed; it does not say which. */
export const speakerChannel = 'hearth:speaker-news';
/** A household has no more. */
const maxKept = 500;

export type SpeakerStore = ReturnType<typeof createSpeakerStore>;

interface StoreOptions {
  redis: Redis;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** The loudspeakers of the household that somebody has set, by the names of their satellites. */
export function createSpeakerStore({ redis, steady }: StoreOptions) {
  const kept = createKeptByName({
    ...{ redis, key: keys.speakers.of(), channel: speakerChannel, schema: speakerSchema, maxKept, steady },
  });
  const read = async (name: string): Promise<KeptSpeaker> =>
    speakerAt((await kept.read(name)) ?? untouchedSpeaker, steady());

  return {
    ...kept,
    /** As it is now. */
    read,
    /** Changes it, and returns it as it is then. */
    async change(name: string, change: SpeakerChange, turn: string | null): Promise<KeptSpeaker> {
      const after = changedSpeaker(await read(name), change, { now: steady(), turn });
      await kept.put(name, after);
      return after;
    },
  };
}
