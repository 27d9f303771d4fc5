import { domainOf } from '../../engines/home-templates.ts';
import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import { type HomeWords, type HouseNames, type Kind, kindOfDomain, kinds } from './home-words.ts';
import { createPlaceFinder, type TargetPlace } from './place-finder.ts';
import { calledTarget, everythingTo, namedTarget, type Target, targetIn } from './target.ts';
import { createWordFinder, endOfRow } from './word-finder.ts';

/** Finds one thing, or all of a kind, with its place: "the kitchen lights", "Anna's lamp". */
export function createThingReader(words: HomeWords, readWords: WordReader) {
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const [determiners, adjectives] = [finder(words.determiners), finder(words.adjectives)];
  const [everything, all] = [finder(words.everything), finder(words.all)];
  const places = createPlaceFinder(words, readWords);
  const devices = createPhraseFinder<Kind>(
    kinds.flatMap((kind) => words.devices[kind].map((text) => ({ text, stands: kind }))),
    readWords,
  );
  let things = createPhraseFinder<Kind>([], readWords);

  const saysAll = (said: readonly Word[], from: number, to: number): boolean =>
    said.slice(from, to).some((_, at) => all.at(said, from + at).length > 0);

  const named = (said: readonly Word[], from: number, place: TargetPlace = null): Target[] =>
    things.at(said, from).flatMap(({ end, found }) => {
      const target = namedTarget(found, { from, to: end }, place);
      // "The wemo plug socket" is the thing called Wemo plug; "the vacuum cleaner robot" may be another than Vacuum cleaner.
      const more = devices.at(said, end).filter((device) => device.found === found && found !== 'machine');
      return [target, ...more.map((device) => ({ ...target, end: device.end }))];
    });

  const called = (said: readonly Word[], from: number, place: TargetPlace, isAll: boolean): Target[] => {
    const behind = endOfRow(adjectives, said, from);
    return devices.at(said, behind).map(({ end, found }) => {
      const device = { from, to: end };
      return calledTarget(found, { device, place, isAll, isSpecial: behind > from });
    });
  };

  /** One thing without a place behind it. */
  const thingsAt = (said: readonly Word[], from: number): Target[] => {
    const start = endOfRow(determiners, said, from);
    const isAll = saysAll(said, from, start);
    const inArea = places.areasFrom(said, start).flatMap(({ end, place }) => {
      const behind = endOfRow(determiners, said, end);
      return [...called(said, behind, place, isAll), ...named(said, behind, place)];
    });
    const whole = everything.at(said, start).map(({ end }) => everythingTo(end));
    return [
      ...named(said, from),
      ...named(said, start),
      ...called(said, start, null, isAll),
      ...inArea,
      ...whole,
    ];
  };

  return {
    /** From now on these names are known. */
    learn(names: HouseNames): void {
      places.learn(names.areas);
      things = createPhraseFinder<Kind>(
        names.things.map(({ id, name }) => ({
          text: name,
          stands: kindOfDomain[domainOf(id)] ?? 'power',
        })),
        readWords,
      );
    },

    /** Every way to read one thing that begins here, with and without the place behind it. */
    at: (said: readonly Word[], from: number): Target[] =>
      thingsAt(said, from).flatMap((target) => {
        const behind = places.placesAt(said, target.end);
        return [target, ...behind.map(({ end, place }) => targetIn(target, end, place))];
      }),

    roomsAt: places.roomsAt,
  };
}
