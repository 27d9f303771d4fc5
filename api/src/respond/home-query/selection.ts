import type { Thing } from './house-things.ts';
import type { StateQuery } from './question-reader.ts';

interface Surroundings {
  /** Home Assistant's name for the speaker's room. Null: none. */
  room: string | null;
}

/** The entities that each content word of a question describes. */
export function describedBy(
  { content, isHere }: StateQuery,
  things: readonly Thing[],
  { room }: Surroundings,
): Thing[] {
  return things.filter(
    ({ described, area }) =>
      (!isHere || (room !== null && area === room)) && content.every((stem) => described.has(stem)),
  );
}

/** Prefers entities that match without a place: "the front door" is not a gate in the front yard. */
export function withWholeNames({ content, text }: StateQuery, things: readonly Thing[]): readonly Thing[] {
  const whole = things.filter(({ own, places }) => {
    const inPlace = new Set(
      places.filter((place) => hasPhrase(text, place)).flatMap((name) => name.split(' ')),
    );
    return content.every((stem) => own.has(stem) || inPlace.has(stem));
  });
  return whole.length > 0 ? whole : things;
}

/** Adds the sensors of the same devices, if no found entity has the value: "the battery of the door lock". */
export function withMeasured(
  query: StateQuery,
  found: Thing[],
  { all, measuredBy }: { all: readonly Thing[]; measuredBy: (query: StateQuery, thing: Thing) => unknown },
): Thing[] {
  const isMeasured = (thing: Thing) => measuredBy(query, thing) !== undefined;
  if (query.measure === null || query.content.length === 0 || found.some(isMeasured)) return found;
  const devices = new Set(found.flatMap(({ device }) => device ?? []));
  return [...found, ...all.filter((thing) => devices.has(thing.device ?? '') && isMeasured(thing))];
}

/** Prefers the entities in the place with the longest name in the question: "meeting room A". */
export function inNamedPlace(query: StateQuery, things: readonly Thing[]): Thing[] {
  const lengths = things.map(({ places }) =>
    Math.max(0, ...places.filter((place) => hasPhrase(query.text, place)).map(({ length }) => length)),
  );
  const longest = Math.max(0, ...lengths);
  return things.filter((thing, at) => lengths[at] === longest || isNamed(query, thing));
}

const hasPhrase = (text: string, phrase: string) => phrase !== '' && ` ${text} `.includes(` ${phrase} `);

/** Narrows entities to those that the words name best: by a whole name, by a noun, or all. */
export function narrowed(query: StateQuery, things: readonly Thing[], { room }: Surroundings): Thing[] {
  const named = longestNamed(query, things);
  if (named.length > 0) return named;
  const ofKind = things.filter(({ nouns }) => query.content.some((stem) => nouns.has(stem)));
  const found = ofKind.length > 0 ? ofKind : [...things];
  return isUnplaced(query, found) ? inRoom(found, room) : found;
}

/** Whether the words name one entity instead of all of its kind. */
export const isNamed = (query: StateQuery, thing: Thing): boolean => nameLength(query, thing) > 0;

function longestNamed(query: StateQuery, things: readonly Thing[]): Thing[] {
  const lengths = things.map((thing) => nameLength(query, thing));
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? [] : things.filter((_, at) => lengths[at] === longest);
}

/** Number of words of its longest name in the question. 0: not named, or a plural noun means more. */
function nameLength({ content, said, plurals }: StateQuery, { names, nouns }: Thing): number {
  if (content.some((stem) => plurals.has(stem) && nouns.has(stem))) return 0;
  const found = names.filter((name) => name.length > 0 && name.every((stem) => said.has(stem)));
  const isOther = (name: readonly string[]) =>
    name.every((stem) => nouns.has(stem)) && content.length > name.length;
  return Math.max(0, ...found.filter((name) => !isOther(name)).map(({ length }) => length));
}

/** Whether the question names no place: "are the lights on". */
/** "Which lights are on" asks for the whole house. */
function isUnplaced(
  { content, form, isAny, plurals, isWhichRoom }: StateQuery,
  things: readonly Thing[],
): boolean {
  if (form === 'count' || isAny || isWhichRoom || (form === 'ask' && plurals.size > 0)) return false;
  return things.every(({ nouns }) => content.every((stem) => nouns.has(stem)));
}

function inRoom(things: Thing[], room: string | null): Thing[] {
  const here = room === null ? [] : things.filter(({ area }) => area === room);
  return here.length > 0 ? here : things;
}
