import { z } from 'zod';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { AdjunctPhrase } from '../../core/skill.ts';

const texts = z.array(z.string());

export const roomWordsSchema = z.strictObject({
  /** Common names of rooms, for use until the names of the house are known. */
  rooms: texts,
  /** Rooms that hold things to do rather than a speaker: "water the plants in the GARDEN". */
  outside: texts,
  /** "the timers IN HERE" */
  here: texts.default([]),
  /** "IN THE bedroom" */
  room_from: texts,
  /** Last words of the name of any room: "the guest ROOM". */
  room_ends: texts,
});

/** A name of a room is short. */
const maxRoomWords = 3;

/** The rooms of the household. */
export interface HouseRooms {
  /** Rooms in which a speaker is connected. */
  ringing: readonly string[];
  /** All known rooms of the household. */
  all: readonly string[];
}

interface TimerRoomsOptions {
  words: z.infer<typeof roomWordsSchema>;
  /** Whether a word may be part of a name. */
  isNameWord: (said: readonly Word[], at: number) => boolean;
  house: () => Promise<HouseRooms>;
}

export type TimerRooms = ReturnType<typeof createTimerRooms>;

/** Reads the room in which a timer should ring, and looks it up in the house. */
export function createTimerRooms({ words, isNameWord, house }: TimerRoomsOptions) {
  const ends = new Set([...words.rooms, ...words.room_ends]);
  const isKnown = (name: readonly Word[]): boolean =>
    name.some((_, at) => ends.has(joinedWords(name.slice(at))));

  /** The names that may start here, the longest first. */
  const namesAt = (said: readonly Word[], from: number): Omit<AdjunctPhrase, 'from'>[] => {
    const found: Omit<AdjunctPhrase, 'from'>[] = [];
    for (let to = from + 1; to <= Math.min(from + maxRoomWords, said.length); to += 1) {
      if (!isNameWord(said, to - 1) || (to - 1 > from && said[to - 1]?.gap !== '')) break;
      found.unshift({ to, nameAt: from, isKnown: isKnown(said.slice(from, to)) });
    }
    return found;
  };

  return {
    /** "in the bedroom", known rooms first. */
    find(said: readonly Word[]): AdjunctPhrase[] {
      const found = said.flatMap((_, from) => {
        const nameAt = longestPhraseEnd(words.room_from, said, from);
        return nameAt === null ? [] : namesAt(said, nameAt).map((name) => ({ ...name, from }));
      });
      return [...found.filter(({ isKnown }) => isKnown), ...found.filter(({ isKnown }) => !isKnown)];
    },

    /** Whether the house has the room, and whether something can ring there now. */
    async lookUp(room: string): Promise<{ isThere: boolean; rings: boolean }> {
      const { ringing, all } = await house();
      const isIn = (rooms: readonly string[]) => rooms.some((each) => plain(each) === plain(room));
      if (ringing.length === 0 && all.length === 0) {
        const isInside = words.rooms.includes(plain(room)) && !words.outside.includes(plain(room));
        return { isThere: isInside || words.room_ends.some((end) => plain(room).endsWith(end)), rings: true };
      }
      return { isThere: isIn(ringing) || isIn(all), rings: ringing.length === 0 || isIn(ringing) };
    },
  };
}

function plain(room: string): string {
  return room.normalize('NFC').trim().toLowerCase().replaceAll('’', "'");
}
