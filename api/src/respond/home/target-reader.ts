import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import { type HomeWords, type HouseNames, type Kind, kindOfDomain, kinds } from './home-words.ts';

/** Words from one place to another. */
export interface WordSpan {
  from: number;
  to: number;
}

/** What a sentence speaks of: "the kitchen lights", "Anna's lamp and the fan". */
export interface Target {
  end: number;
  kinds: readonly Kind[];
  /** It says where: a room, "here", or a thing by its own name. */
  isPlaced: boolean;
  /** Home Assistant knows it by this very name. */
  isNamed: boolean;
  /** Where the words for what it is stand: "lights" of "the kitchen lights". Null: it has a name of its own. */
  device: WordSpan | null;
  /** Where its own name stands: "wemo plug" of "the wemo plug socket". Null: it has none. */
  name: WordSpan | null;
  place: TargetPlace;
  /** All there are of them, not only those of one room. */
  isAll: boolean;
  /** It is told from others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** Where each of several things stands; none: it is one. */
  parts: readonly WordSpan[];
}

/** Where a thing is said to be: in the speaker's room, in the whole house, in a room or on a floor with a name; null: nothing is said. */
export type TargetPlace = 'here' | 'everywhere' | WordSpan | null;

/** Longer descriptions are none of a thing at home. */
const mostEnds = 40;
const mostTargets = 4;

export type TargetReader = ReturnType<typeof createTargetReader>;

/** Finds what may be commanded in words: names of Home Assistant's things and areas, and what such things are called anyway. */
export function createTargetReader(words: HomeWords, readWords: WordReader) {
  const plain = (texts: readonly string[]) =>
    createPhraseFinder(
      texts.map((text) => ({ text, stands: null })),
      readWords,
    );
  const determiners = plain(words.determiners);
  const adjectives = plain(words.adjectives);
  const prepositions = plain(words.in);
  const here = plain(words.here);
  const everywhere = plain(words.everywhere);
  const floors = plain(words.floors);
  const thisRoom = plain(words.this_room);
  const house = plain(words.house);
  const and = plain(words.and);
  const everything = plain(words.everything);
  const all = plain(words.all);
  const devices = createPhraseFinder<Kind>(
    kinds.flatMap((kind) => words.devices[kind].map((text) => ({ text, stands: kind }))),
    readWords,
  );
  let areas = plain(words.rooms);
  let things = createPhraseFinder<Kind>([], readWords);

  /** Behind any number of these. */
  const past = (finder: ReturnType<typeof plain>, said: readonly Word[], from: number): number => {
    let at = from;
    for (let next = finder.at(said, at)[0]; next && at - from < 4; next = finder.at(said, at)[0])
      at = next.end;
    return at;
  };

  const ends = (finder: ReturnType<typeof plain>, said: readonly Word[], from: number, place?: TargetPlace) =>
    finder.at(said, from).map(({ end }) => ({ end, place: place === undefined ? { from, to: end } : place }));
  /** Rooms, floors, "the room" and "the house". */
  const areasFrom = (said: readonly Word[], from: number): { end: number; place: TargetPlace }[] => [
    ...ends(house, said, from, 'everywhere'),
    ...ends(thisRoom, said, from, 'here'),
    ...ends(areas, said, from).filter(({ end }) => !house.at(said, from).some((whole) => whole.end === end)),
  ];
  const placesAt = (said: readonly Word[], from: number): { end: number; place: TargetPlace }[] => [
    ...ends(here, said, from, 'here'),
    ...ends(everywhere, said, from, 'everywhere'),
    ...ends(floors, said, from),
    ...prepositions.at(said, from).flatMap(({ end }) => areasFrom(said, past(determiners, said, end))),
  ];
  const saysAll = (said: readonly Word[], from: number, to: number): boolean =>
    said.slice(from, to).some((_, at) => all.at(said, from + at).length > 0);

  /** One thing without a place behind it. */
  const thingsAt = (said: readonly Word[], from: number): Target[] => {
    const start = past(determiners, said, from);
    const isAll = saysAll(said, from, start);
    const named = (at: number, place: TargetPlace = null): Target[] =>
      things.at(said, at).flatMap(({ end, found }) => {
        const target = {
          ...{ end, kinds: [found], isPlaced: true, isNamed: true, device: null, place },
          ...{ name: { from: at, to: end }, isAll: false, isSpecial: false, parts: [] },
        };
        // "The wemo plug socket" is the thing called Wemo plug; "the vacuum cleaner robot" may be another than Vacuum cleaner.
        const more = devices.at(said, end).filter((device) => device.found === found && found !== 'machine');
        return [target, ...more.map((device) => ({ ...target, end: device.end }))];
      });
    const called = (at: number, place: TargetPlace): Target[] => {
      const behind = past(adjectives, said, at);
      return devices.at(said, behind).map(({ end, found }) => ({
        end,
        kinds: [found],
        isPlaced: place !== null && place !== 'here',
        isNamed: false,
        device: { from: at, to: end },
        name: null,
        place,
        isAll,
        isSpecial: behind > at,
        parts: [],
      }));
    };
    const inArea = areasFrom(said, start).flatMap(({ end, place }) => {
      const behind = past(determiners, said, end);
      return [...called(behind, place), ...named(behind, place)];
    });
    // Nobody can say that it is not known.
    const whole = everything.at(said, start).map(({ end }) => ({
      ...{ end, kinds: [...kinds], isPlaced: false, isNamed: true, device: null, place: null },
      ...{ name: null, isAll: true, isSpecial: false, parts: [] },
    }));
    return [...named(from), ...named(start), ...called(start, null), ...inArea, ...whole];
  };

  const placedAt = (said: readonly Word[], from: number): Target[] =>
    thingsAt(said, from).flatMap((target) => [
      target,
      ...placesAt(said, target.end).map(({ end, place }) => ({
        ...target,
        end,
        place,
        isPlaced: target.isPlaced || place !== 'here',
      })),
    ]);

  const read = (said: readonly Word[], from: number, left = mostTargets): Target[] => {
    const first = placedAt(said, from);
    if (left <= 1) return first;
    const more = first.flatMap((target) =>
      and.at(said, target.end).flatMap(({ end }) =>
        read(said, end, left - 1).map((other) => ({
          end: other.end,
          kinds: [...target.kinds, ...other.kinds],
          isPlaced: target.isPlaced && other.isPlaced,
          isNamed: target.isNamed && other.isNamed,
          ...{ device: null, name: null, place: null, isAll: false, isSpecial: true },
          parts: [
            { from, to: target.end },
            ...(other.parts.length > 0 ? other.parts : [{ from: end, to: other.end }]),
          ],
        })),
      ),
    );
    return [...first, ...more].slice(0, mostEnds);
  };

  return {
    /** From now on these names are known. */
    learn(names: HouseNames): void {
      areas = plain([...words.rooms, ...names.areas]);
      things = createPhraseFinder<Kind>(
        names.things.map(({ id, name }) => ({
          text: name,
          stands: kindOfDomain[id.split('.')[0] ?? ''] ?? 'power',
        })),
        readWords,
      );
    },

    /** Every way to read a target that begins here. */
    read: (said: readonly Word[], from: number) => read(said, from),

    areasAt: (said: readonly Word[], from: number): number[] => areas.at(said, from).map(({ end }) => end),

    /** Without what only points at it: "kitchen lights" of "all the kitchen lights". */
    bare: (said: readonly Word[]) => said.slice(past(determiners, said, 0)),
  };
}
