import { roomKey } from '../../../announcements/announcement.ts';
import { createNameReader } from '../../../language/grammar/name-reader.ts';
import {
  createSlotShape,
  type SlotExclusions,
  type SlotShape,
} from '../../../language/grammar/slot-shape.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, textOf, type Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';
import { fill, joined } from '../../../language/phrase.ts';
import { typeOf } from '../../core/slot.ts';
import type { AnnounceWords } from './announce-shape.ts';

/** Maximum number of rooms by name. */
const maxRooms = 6;

/** The rooms of an announcement: those with a listener, and those to report as silent. */
export interface AnnouncementRooms {
  rooms: string[];
  /** These people have no known room. */
  people: string | null;
}

/** Reads the rooms and the message. */
export function createAnnounceWords(words: AnnounceWords) {
  const shapeOf = (never: SlotExclusions) => createSlotShape(never, words.articles);
  const open = (never: SlotExclusions): SlotType => ({ isOpen: true, costPerWord: 2, shape: shapeOf(never) });
  const readPlace = createNameReader(new Map(words.places.map((name) => [name, name])));
  const readMeal = createNameReader(new Map(words.meals.map((name) => [name, name])));

  const isAnd = (word: Word | undefined) => word?.word === words.last.trim();
  const isArticle = (word: Word | undefined) => words.articles.includes(word?.word ?? '');
  /** "And the office", or "the office" after a comma. */
  const readNext = (said: readonly Word[], from: number): Read<string> | null => {
    if (!isAnd(said[from]) && said[from]?.gap !== ',') return null;
    const at = isAnd(said[from]) ? from + 1 : from;
    return readPlace(said, isArticle(said[at]) ? at + 1 : at);
  };
  /** "The kitchen and the office". */
  const readPlaces = (said: readonly Word[], from: number): Read<string[]> | null => {
    const names: string[] = [];
    let end = from;
    for (let next = readPlace(said, from); next && names.length < maxRooms; next = readNext(said, end)) {
      names.push(next.value);
      end = next.end;
    }
    return names.length === 0 ? null : { value: names, end };
  };

  const namesIn = (said: readonly Word[]): string[] => {
    const names: Word[][] = [[]];
    for (const word of said) {
      if (isAnd(word)) names.push([]);
      else {
        if (word.gap === ',') names.push([]);
        names.at(-1)?.push(word);
      }
    }
    const bare = names.map((name) => (isArticle(name[0]) ? name.slice(1) : name));
    return bare.filter((name) => name.length > 0).map(joinedWords);
  };

  const isKnownPlace = (name: string) =>
    words.places.includes(name) || words.place_ends.some((end) => name.endsWith(` ${end}`));

  /** A sentence, or a call: it can be announced unchanged. */
  const isMessage = (said: readonly Word[]): boolean =>
    words.calls.includes(joinedWords(said)) || isClause(said, words.clause);
  const message = (never: SlotExclusions): SlotType => {
    const shape = shapeOf(never);
    const mayEnd: SlotShape['mayEnd'] = (said, from, to) =>
      shape.mayEnd(said, from, to) && isMessage(said.slice(from, to));
    return { isOpen: true, costPerWord: 2, shape: { ...shape, mayEnd } };
  };

  return {
    slotTypes: {
      message: message(words.never.message),
      statement: message(words.never.said),
      request: open(words.never.deed),
      spot: open(words.never.place),
      spots: typeOf(readPlaces),
      announced_meal: typeOf(readMeal),
    } satisfies Record<string, SlotType>,

    /** The original text from these words on, without words that address the assistant. */
    rest(text: string, said: readonly Word[]): string {
      const to = text.slice(said[0]?.start ?? 0).trim();
      const closing = new RegExp(`[\\s,]+(?:${words.courtesies.join('|')})[.!?]*$`, 'iu');
      return sentence(to.replace(closing, ''));
    },
    exactly: (text: string, said: readonly Word[]): string => sentence(textOf(text, said)),
    subordinate: (text: string, said: readonly Word[]): string => {
      const clause = textOf(text, said);
      return sentence(words.that ? fill(words.that, { text: clause }) : clause);
    },

    /** A request reworded for the listeners: "wash their hands". */
    addressed: (text: string): string =>
      text
        .replaceAll(/[\p{L}']+/gu, (word) => words.addressed[word.toLowerCase()] ?? word)
        .replace(/[.!?]+$/, ''),

    /** The rooms that these words name. Null: they may mean something else. */
    meant(said: readonly Word[], connected: readonly string[]): AnnouncementRooms | null {
      const there = new Map(connected.map((room) => [roomKey(room), room]));
      const rooms: string[] = [];
      for (const name of namesIn(said)) {
        const theirs = words.people[name]?.map((room) => there.get(roomKey(room))).find((room) => room);
        const found =
          there.get(roomKey(name)) ?? there.get(roomKey(`${name} ${words.place_ends[0]}`)) ?? theirs;
        if (found === undefined && words.people[name]) return { rooms: [], people: name };
        if (found === undefined && !isKnownPlace(name)) return null;
        rooms.push(found ?? name);
      }
      return rooms.length === 0 ? null : { rooms, people: null };
    },

    /** "the kitchen and the office". */
    roomsSaid: (rooms: readonly (string | null)[]): string => roomsSaid(rooms, words),
  };
}

/** With a capital and a full stop, for the voice. */
function sentence(text: string): string {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?…]$/u.test(whole) ? whole : `${whole}.`;
}

function isClause(said: readonly Word[], clause: AnnounceWords['clause']): boolean {
  const { subjects, verbs, endings, short, behind_short } = clause;
  return (
    (said.length > 1 && subjects.includes(said[0]?.word ?? '')) ||
    said.some(({ word }) => verbs.includes(word) || endings.some((ending) => word.endsWith(ending))) ||
    said.some(({ word }, at) => word.endsWith(short) && behind_short.includes(said[at + 1]?.word ?? ''))
  );
}

function roomsSaid(rooms: readonly (string | null)[], words: AnnounceWords): string {
  const names = [...new Map(rooms.map((room) => [room === null ? '' : roomKey(room), room])).values()];
  const said = names.map((room) => {
    if (room === null) return words.nameless;
    return room.includes(words.own_mark) ? room : words.room.replace('{room}', room);
  });
  return joined(said, words);
}
