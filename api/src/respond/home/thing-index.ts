import { domainOf } from '../../engines/home-templates.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { DescribedThing, HomeWords } from './understand/home-words.ts';

/** No description of a thing is longer. */
const maxWords = 8;
/** Shorter words have no plural: "gas". */
const minPluralLetters = 4;

type IndexWords = Pick<
  HomeWords,
  | 'determiners'
  | 'in'
  | 'one'
  | 'only'
  | 'domains'
  | 'outdoors'
  | 'numbers'
  | 'plural_endings'
  | 'same'
  | 'kin'
  | 'particles'
>;

/** The entities whose description has a word, by their position. */
interface Posting {
  all: Set<number>;
  /** Those that have it in more than their place. */
  own: Set<number>;
}

/** The end of a description, and the entities that it fits. */
interface Span {
  end: number;
  ids: readonly string[];
}

/** The entities that have every word so far, and those that have one in more than their place. */
interface Narrowing {
  all: ReadonlySet<number> | null;
  own: ReadonlySet<number>;
}

const noPosting: Posting = { all: new Set(), own: new Set() };

export type ThingIndex = ReturnType<typeof createThingIndex>;

/**
 * Finds entities by any part of what they are called: name, alias, kind, device, room and floor. Every word
 * must belong to the entity, and one of them to more than its place.
 */
export function createThingIndex(words: IndexWords, readWords: WordReader) {
  const little = new Set([...words.determiners, ...words.in, ...words.one, ...words.only]);
  const [determiners, prepositions] = [new Set(words.determiners), new Set(words.in)];
  const particles = new Set(words.particles);
  const stems = createStems(words);
  const stemsOf = (texts: readonly string[]) =>
    new Set(texts.flatMap((text) => readWords(text).map(({ word }) => stems(word))));
  const outdoorAreas = stemsOf(words.outdoors.areas);
  const [outdoorWords, indoorWords] = [stemsOf(words.outdoors.words), stemsOf(words.outdoors.indoors)];
  let things: readonly DescribedThing[] = [];
  let postings = new Map<string, Posting>();
  let spans = new WeakMap<readonly Word[], Map<number, Span[]>>();

  const stemsIn = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => readWords(text).map(({ word }) => stems(word)));
  const kindOf = ({ id, deviceClass }: DescribedThing): string[] => {
    const domain = domainOf(id);
    return [...(words.domains[domain] ?? []), ...(words.domains[`${domain}.${deviceClass}`] ?? [])];
  };
  const placeOf = ({ place }: DescribedThing): string[] => {
    const said = stemsIn(place);
    if (said.length === 0) return [];
    return [...said, ...(said.some((stem) => outdoorAreas.has(stem)) ? outdoorWords : indoorWords)];
  };

  const add = (stem: string, at: number, isOwn: boolean): void => {
    const posting = postings.get(stem) ?? { all: new Set(), own: new Set() };
    posting.all.add(at);
    if (isOwn) posting.own.add(at);
    postings.set(stem, posting);
  };

  // "Inside" tells where, although it may also come before a room.
  const isLittle = ({ word }: Word): boolean => little.has(word) && !indoorWords.has(stems(word));

  /** "LOCK the door": a noun right before an article is a verb. */
  const isVerb = (said: readonly Word[], at: number): boolean =>
    determiners.has(said[at + 1]?.word ?? '') && !little.has(said[at]?.word ?? '');

  /** The words from here that may describe one thing, up to a pause or a verb. */
  const runFrom = (said: readonly Word[], from: number): readonly Word[] => {
    const first = said[from];
    if (first && isLittle(first) && prepositions.has(first.word)) return [];
    const run = said.slice(from, from + maxWords);
    const pause = run.findIndex(({ gap }, at) => (at > 0 && gap !== '') || isVerb(run, at));
    return pause < 0 ? run : run.slice(0, pause);
  };

  const narrowed = ({ all, own }: Narrowing, { word }: Word): Narrowing => {
    const posting = postings.get(stems(word)) ?? noPosting;
    return { all: both(all, posting.all), own: new Set([...own, ...posting.own]) };
  };

  /** Every run of words from here that describes a thing, with the things. */
  const read = (said: readonly Word[], from: number): Span[] => {
    const found: Span[] = [];
    let narrowing: Narrowing = { all: null, own: new Set() };
    let isTold = false;
    for (const [at, word] of runFrom(said, from).entries()) {
      if (isLittle(word)) continue;
      narrowing = narrowed(narrowing, word);
      isTold ||= !particles.has(word.word);
      if (narrowing.all?.size === 0) break;
      const ids = idsOf(both(narrowing.all, narrowing.own));
      if (ids.length > 0 && isTold) found.push({ end: from + at + 1, ids });
    }
    return found;
  };
  const idsOf = (found: ReadonlySet<number>) => [...found].flatMap((each) => things[each]?.id ?? []);

  return {
    learn(known: readonly DescribedThing[]): void {
      [things, postings, spans] = [known, new Map(), new WeakMap()];
      for (const [at, thing] of known.entries()) {
        const place = placeOf(thing);
        const ofPlace = new Set(place);
        for (const stem of place) add(stem, at, false);
        for (const stem of stemsIn([...thing.names, ...kindOf(thing), ...thing.device]))
          add(stem, at, !ofPlace.has(stem));
      }
    },

    /** The ends of the descriptions that start here. */
    at(said: readonly Word[], from: number): readonly Span[] {
      const known = spans.get(said) ?? new Map<number, Span[]>();
      spans.set(said, known);
      const found = known.get(from) ?? read(said, from);
      known.set(from, found);
      return found;
    },

    /** The things that a whole text describes. */
    find(text: string): readonly string[] {
      const said = readWords(text);
      const whole = read(said, 0).filter(({ end }) => said.slice(end).every(isLittle));
      return whole.at(-1)?.ids ?? [];
    },

    /** The things in a place, by words for it. */
    inPlace(text: string): readonly string[] {
      const wanted = readWords(text).filter((word) => !isLittle(word));
      const sets = wanted.map(({ word }) => postings.get(stems(word))?.all ?? new Set<number>());
      return idsOf(sets.reduce<ReadonlySet<number> | null>(both, null) ?? new Set());
    },
  };
}

/** Null: every one. */
function both(one: ReadonlySet<number> | null, other: ReadonlySet<number>): ReadonlySet<number> {
  if (one === null) return other;
  return new Set([...one].filter((each) => other.has(each)));
}

/** One form for a word's plural, number and synonyms: "lamps" is "lamp", "two" is "2". */
function createStems({ numbers, plural_endings, same, kin }: IndexWords): (word: string) => string {
  const plain = (word: string): string => {
    const ending = plural_endings.find((each) => word.endsWith(each));
    const isLong = word.length >= minPluralLetters;
    return String(numbers[word] ?? (ending && isLong ? word.slice(0, -ending.length) : word));
  };
  const single = [...kin, ...same].map((group) => group.filter((each) => !each.includes(' ')).map(plain));
  const first = new Map(
    single.flatMap((group) => group.map((each): [string, string] => [each, group[0] ?? each])),
  );
  return (word) => first.get(plain(word)) ?? plain(word);
}
