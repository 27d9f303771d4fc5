import { domainOf } from '../../../engines/home-templates.ts';
import { createPhraseFinder } from '../../../language/grammar/phrase-finder.ts';
import { joinedWords, type Word, type WordReader } from '../../../language/grammar/words.ts';
import type { ThingIndex } from '../thing-index.ts';
import { type HomeWords, type HouseNames, type Kind, kindOfDomain, kinds } from './home-words.ts';
import { createPlaceFinder, type TargetPlace, type WordSpan } from './place-finder.ts';
import {
  calledTarget,
  describedTarget,
  everythingTo,
  namedTarget,
  roomTarget,
  type Target,
  targetIn,
} from './target.ts';
import { createWordFinder, endOfRow, type WordFinder } from './word-finder.ts';

/** Finds one entity, or all of a kind, with its place: "the kitchen lights", "Anna's lamp". */
export function createThingReader(words: HomeWords, readWords: WordReader, index: Pick<ThingIndex, 'at'>) {
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const [determiners, adjectives] = [finder(words.determiners), finder(words.adjectives)];
  const [everything, all] = [finder(words.everything), finder(words.all)];
  const places = createPlaceFinder(words, readWords);
  const devices = createPhraseFinder<Kind>(
    kinds.flatMap((kind) => words.devices[kind].map((text) => ({ text, stands: kind }))),
    readWords,
  );
  let things = createPhraseFinder<Kind>([], readWords);
  /** The kinds of things in each room, by its name. */
  let kindsIn = createPhraseFinder<Kind>([], readWords);

  const named = (said: readonly Word[], from: number, place: TargetPlace = null): Target[] =>
    things.at(said, from).flatMap(({ end, found }) => {
      const target = namedTarget(found, { from, to: end }, place);
      // "The wemo plug socket" is the entity Wemo plug. "The vacuum cleaner robot" may differ from Vacuum
      // cleaner.
      const more = devices.at(said, end).filter((device) => device.found === found && found !== 'machine');
      return [target, ...more.map((device) => ({ ...target, end: device.end }))];
    });

  const called = (said: readonly Word[], from: number, place: TargetPlace, isAll: boolean): Target[] => {
    const behind = endOfRow(adjectives, said, from);
    return devices.at(said, behind).map(({ end, found }) => {
      const device = { from, to: end };
      // "Lock the house" means all of its locks.
      if (places.isHouse(said, behind, end))
        return calledTarget(found, { device, place: 'everywhere', isAll: true, isSpecial: false });
      return calledTarget(found, { device, place, isAll, isSpecial: behind > from });
    });
  };

  /** Entities by parts of their names, unless the words have another meaning. */
  const described = (said: readonly Word[], at: number, others: readonly Target[]): Target[] => {
    const from = endOfRow(determiners, said, at);
    const isAll = saysAll(all, said, at, from);
    return index.at(said, from).flatMap(({ end, ids }) => {
      // A room alone is not a thing in it.
      const isRoom = places.roomsAt(said, from).includes(end);
      if (isRoom || others.some((other) => other.end === end)) return [];
      const kindsOfIds = new Set(ids.map((id) => kindOfDomain[domainOf(id)] ?? 'power'));
      return [describedTarget([...kindsOfIds], { from, to: end }, isAll)];
    });
  };

  /** One entity without a place after it. */
  const thingsAt = (said: readonly Word[], from: number): Target[] => {
    const start = endOfRow(determiners, said, from);
    const isAll = saysAll(all, said, from, start);
    const inArea = places.areasFrom(said, start).flatMap(({ end, place }) => {
      const behind = endOfRow(determiners, said, end);
      return [...called(said, behind, place, isAll), ...named(said, behind, place)];
    });
    const whole = everything.at(said, start).map(({ end }) => everythingTo(end));
    const rooms = kindsIn
      .at(said, start)
      .map(({ end, found }) => roomTarget(found, { from: start, to: end }));
    return [
      ...named(said, from),
      ...named(said, start),
      ...called(said, start, null, isAll),
      ...inArea,
      ...whole,
      ...rooms,
    ];
  };

  /** "The KITCHEN light in the GARDEN" is in no room. */
  const isOtherRoom = (said: readonly Word[], one: TargetPlace, other: TargetPlace): boolean => {
    if (!isSpan(one) || !isSpan(other) || !places.roomsAt(said, other.from).includes(other.to)) return false;
    return joinedWords(said.slice(one.from, one.to)) !== joinedWords(said.slice(other.from, other.to));
  };

  return {
    /** Adds these names. */
    learn(names: HouseNames): void {
      places.learn(names.areas);
      const placed = (names.described ?? []).flatMap(({ id, place }) =>
        place.map((text) => ({ text, stands: kindOfDomain[domainOf(id)] ?? 'power' })),
      );
      kindsIn = createPhraseFinder<Kind>(
        [...Map.groupBy(placed, ({ text, stands }) => `${stands} ${text}`).values()].flatMap(
          ([one]) => one ?? [],
        ),
        readWords,
      );
      things = createPhraseFinder<Kind>(
        names.things.map(({ id, name }) => ({
          text: name,
          stands: kindOfDomain[domainOf(id)] ?? 'power',
        })),
        readWords,
      );
    },

    /** Every reading of one entity that starts here, with and without the place after it. */
    at(said: readonly Word[], from: number): Target[] {
      const known = thingsAt(said, from).flatMap((target) => {
        // "Lights kitchen", as in a list of names.
        const isBare = target.device !== null && target.place === null;
        const rooms = isBare ? places.bareRoomsAt(said, target.end) : [];
        const behind = [...places.placesAt(said, target.end), ...rooms];
        const fitting = behind.filter(({ place }) => !isOtherRoom(said, target.place, place));
        return [target, ...fitting.map(({ end, place }) => targetIn(target, end, place))];
      });
      return [...known, ...described(said, from, known)];
    },

    roomsAt: places.roomsAt,
    placesAt: places.placesAt,
    isPlacing: places.isPlacing,
  };
}

const saysAll = (all: WordFinder, said: readonly Word[], from: number, to: number): boolean =>
  said.slice(from, to).some((_, at) => all.at(said, from + at).length > 0);

const isSpan = (place: TargetPlace): place is WordSpan => place !== null && typeof place !== 'string';
