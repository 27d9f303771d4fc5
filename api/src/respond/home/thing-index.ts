import { domainOf } from '../../engines/home-templates.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { DescribedThing, HomeWords } from './understand/home-words.ts';

/** No description of a thing is longer. */
const maxWords = 8;
/** Shorter words have no plural: "gas". */
const minPluralLetters = 4;
/** Shorter words are no parts of compounds. */
const minPartLetters = 3;

export type IndexWords = Pick<
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
  | 'links'
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
  /** It tells where they are, too. */
  isPlaced: boolean;
}

/** The entities by the words so far. */
interface Narrowing {
  /** They have every word. */
  all: ReadonlySet<number> | null;
  /** They have one in more than their place. */
  own: ReadonlySet<number>;
  /** They have one in their place only. */
  placed: ReadonlySet<number>;
}

/** By the words as they are, and by words that people use for each other. */
interface Narrowings {
  exact: Narrowing;
  loose: Narrowing;
}

const noPosting: Posting = { all: new Set(), own: new Set() };
const noNarrowing: Narrowing = { all: null, own: new Set(), placed: new Set() };

export type ThingIndex = ReturnType<typeof createThingIndex>;

/**
 * Finds entities by any part of what they are called: name, alias, kind, device, room and floor. Every word
 * must belong to the entity, and one of them to more than its place.
 */
export function createThingIndex(words: IndexWords, readWords: WordReader) {
  /** Single words as they are read: some languages drop an accent. */
  const asRead = (texts: readonly string[]): Set<string> =>
    new Set(
      texts
        .map((text) => readWords(text))
        .flatMap((read) => (read.length === 1 ? read.map(({ word }) => word) : [])),
    );
  const little = asRead([...words.determiners, ...words.in, ...words.one, ...words.only]);
  const [determiners, prepositions] = [asRead(words.determiners), asRead(words.in)];
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
      narrowing = postings.narrowedBy(narrowing, word.word);
      isTold ||= !particles.has(word.word);
      const { all, own, placed } = narrowing.exact.all?.size === 0 ? narrowing.loose : narrowing.exact;
      if (all?.size === 0) break;
      const fitting = both(all, own);
      const isPlaced = [...fitting].every((each) => placed.has(each));
      if (fitting.size > 0 && isTold) found.push({ end: from + at + 1, ids: idsOf(fitting), isPlaced });
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

    /** Whether these words are a thing's name, and not only a part of it. */
    isName(said: readonly Word[], name: string): boolean {
      const [one, other] = [said, readWords(name)].map(
        (words) => new Set(words.filter((word) => !isLittle(word)).map(({ word }) => stems(word))),
      );
      return one?.size === other?.size && [...(one ?? [])].every((each) => other?.has(each));
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
  const vague = new Set(words.vague.map(stems));
  const exact = new Map<string, Posting>();
  const loose = new Map<string, Posting>();

  const addTo = (known: Map<string, Posting>, stem: string, at: number, isOwn: boolean): void => {
    const posting = known.get(stem) ?? { all: new Set(), own: new Set() };
    posting.all.add(at);
    if (isOwn) posting.own.add(at);
    known.set(stem, posting);
  };
  const of = (word: string): Posting => exact.get(stems(word)) ?? noPosting;
  const narrowed = ({ all, own, placed }: Narrowing, posting: Posting): Narrowing => ({
    all: both(all, posting.all),
    own: new Set([...own, ...posting.own]),
    placed: new Set([...placed, ...[...posting.all].filter((each) => !posting.own.has(each))]),
  });
  const isKnown = (word: string): boolean => exact.has(stems(word));
  /** "Wohnzimmerlampe" is "Wohnzimmer" and "Lampe", if things at home are called both. */
  const partsOf = (word: string): readonly string[] => {
    if (isKnown(word) || words.links.length === 0) return [word];
    for (let at = minPartLetters; at <= word.length - minPartLetters; at += 1) {
      const [first, last] = [word.slice(0, at), word.slice(at)];
      const link = words.links.find((each) => first.endsWith(each) && isKnown(first.slice(0, -each.length)));
      if (isKnown(last) && (isKnown(first) || link !== undefined))
        return [isKnown(first) ? first : first.slice(0, -(link ?? '').length), last];
    }
    return [word];
  };
  const narrowedByPart = (narrowings: Narrowings, word: string): Narrowings => ({
    exact: narrowed(narrowings.exact, of(word)),
    loose: vague.has(stems(word))
      ? narrowings.loose
      : narrowed(narrowings.loose, loose.get(looseStems(word)) ?? noPosting),
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
    narrowedBy: (narrowings: Narrowings, word: string): Narrowings =>
      partsOf(word).reduce(narrowedByPart, narrowings),
  };
}

/** Null: every one. */
function both(one: ReadonlySet<number> | null, other: ReadonlySet<number>): ReadonlySet<number> {
  if (one === null) return other;
  return new Set([...one].filter((each) => other.has(each)));
}

/** One form for a word's plural, number, accents and synonyms: "lamps" is "lamp", "two" is "2". */
function createStems({ numbers, plural_endings, same, kin }: IndexWords): (word: string) => string {
  const plain = (said: string): string => {
    // "Emma's", which people also write "Emmas".
    const word = said.replaceAll("'", '');
    // "Glass" is no plural.
    const isDoubled = (ending: string) => word.endsWith(ending + ending);
    const ending = plural_endings.find((each) => word.endsWith(each) && !isDoubled(each));
    const isLong = word.length >= minPluralLetters;
    const stem = ending && isLong ? word.slice(0, -ending.length) : word;
    return String(numbers[word] ?? stem.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  };
  const single = [...kin, ...same].map((group) =>
    group.filter((each) => !each.includes(' ')).map((each) => plain(each.toLowerCase())),
  );
  const first = new Map(
    single.flatMap((group) => group.map((each): [string, string] => [each, group[0] ?? each])),
  );
  return (word) => first.get(plain(word)) ?? plain(word);
}
