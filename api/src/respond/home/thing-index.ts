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
  | 'alike'
  | 'vague'
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

/** By the words as they are, and by words that people use for each other. */
interface Narrowings {
  exact: Narrowing;
  loose: Narrowing;
}

const noPosting: Posting = { all: new Set(), own: new Set() };
const noNarrowing: Narrowing = { all: null, own: new Set() };

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
  const postings = createPostings(words, stems);
  const wordsIn = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => readWords(text).map(({ word }) => word));
  const stemsOf = (texts: readonly string[]) => new Set(wordsIn(texts).map(stems));
  const outdoorAreas = stemsOf(words.outdoors.areas);
  const indoorWords = stemsOf(words.outdoors.indoors);
  let things: readonly DescribedThing[] = [];
  let spans = new WeakMap<readonly Word[], Map<number, Span[]>>();

  const kindOf = ({ id, deviceClass }: DescribedThing): string[] => {
    const domain = domainOf(id);
    return [...(words.domains[domain] ?? []), ...(words.domains[`${domain}.${deviceClass}`] ?? [])];
  };
  const placeOf = ({ place }: DescribedThing): string[] => {
    const said = wordsIn(place);
    if (said.length === 0) return [];
    const isOutdoors = said.some((word) => outdoorAreas.has(stems(word)));
    return [...said, ...(isOutdoors ? words.outdoors.words : words.outdoors.indoors)];
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

  /** Every run of words from here that describes a thing, with the things. */
  const read = (said: readonly Word[], from: number): Span[] => {
    const found: Span[] = [];
    let narrowing: Narrowings = { exact: noNarrowing, loose: noNarrowing };
    let isTold = false;
    for (const [at, word] of runFrom(said, from).entries()) {
      if (isLittle(word)) continue;
      narrowing = postings.narrowedBy(narrowing, word);
      isTold ||= !particles.has(word.word);
      const { all, own } = narrowing.exact.all?.size === 0 ? narrowing.loose : narrowing.exact;
      if (all?.size === 0) break;
      const ids = idsOf(both(all, own));
      if (ids.length > 0 && isTold) found.push({ end: from + at + 1, ids });
    }
    return found;
  };
  const idsOf = (found: ReadonlySet<number>) => [...found].flatMap((each) => things[each]?.id ?? []);

  return {
    learn(known: readonly DescribedThing[]): void {
      [things, spans] = [known, new WeakMap()];
      postings.clear();
      for (const [at, thing] of known.entries()) {
        const place = placeOf(thing);
        const ofPlace = new Set(place.map(stems));
        for (const word of place) postings.add(word, at, false);
        for (const word of wordsIn([...thing.names, ...kindOf(thing), ...thing.device]))
          postings.add(word, at, !ofPlace.has(stems(word)));
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
      const sets = wanted.map(({ word }) => postings.of(word).all);
      return idsOf(sets.reduce<ReadonlySet<number> | null>(both, null) ?? new Set());
    },
  };
}

/** The entities by each word of their descriptions. */
function createPostings(words: IndexWords, stems: (word: string) => string) {
  const looseStems = createStems({ ...words, same: [...words.same, ...words.alike] });
  const vague = new Set(words.vague);
  const exact = new Map<string, Posting>();
  const loose = new Map<string, Posting>();

  const addTo = (known: Map<string, Posting>, stem: string, at: number, isOwn: boolean): void => {
    const posting = known.get(stem) ?? { all: new Set(), own: new Set() };
    posting.all.add(at);
    if (isOwn) posting.own.add(at);
    known.set(stem, posting);
  };
  const of = (word: string): Posting => exact.get(stems(word)) ?? noPosting;
  const narrowed = ({ all, own }: Narrowing, posting: Posting): Narrowing => ({
    all: both(all, posting.all),
    own: new Set([...own, ...posting.own]),
  });

  return {
    of,

    clear(): void {
      exact.clear();
      loose.clear();
    },

    add(word: string, at: number, isOwn: boolean): void {
      addTo(exact, stems(word), at, isOwn);
      addTo(loose, looseStems(word), at, isOwn);
    },

    /** "The smart plug" may be any plug, unless one is called smart. */
    narrowedBy: (narrowings: Narrowings, { word }: Word): Narrowings => ({
      exact: narrowed(narrowings.exact, of(word)),
      loose: vague.has(word)
        ? narrowings.loose
        : narrowed(narrowings.loose, loose.get(looseStems(word)) ?? noPosting),
    }),
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
