import { affixedType, withoutAffixes } from './affixes.ts';
import { createAutomaton, type State, wholeFrom } from './automaton.ts';
import { slotTypesIn } from './lists.ts';
import type { Template } from './template.ts';
import { costOutside, type FilledSlot, type Path, type SlotType, walk } from './walk.ts';
import type { SlotStep } from './word-steps.ts';
import type { Word, WordReader } from './words.ts';

export interface Match {
  /** The number of the sentence. */
  sentence: number;
  /** The words in each slot. */
  slots: ReadonlyMap<string, readonly Word[]>;
  /** It ends in a slot that may get more words. */
  endsOpen: boolean;
}

interface MatcherOptions {
  /** The automaton of the sentences. It may be built at the first sentence. */
  automaton: { states(): readonly State[] };
  /** Phrases allowed before and after every sentence, repeatedly: hey, could you, please. */
  before: readonly Template[];
  after: readonly Template[];
  /** Phrases also allowed at both ends, but only with a pause: I'm cold, turn up the heating. */
  asides?: readonly Template[];
  /** Words before which those phrases need no pause. */
  afterAsides?: ReadonlySet<string>;
  /** Phrases allowed only before a sentence, with a pause: no, turn it off. */
  answers?: readonly Template[];
  /** Phrases without meaning anywhere in a sentence. */
  skips?: readonly Template[];
  /** Reads the words of the sentences. */
  readWords: WordReader;
  slotTypes: Readonly<Record<string, SlotType>>;
}

/** Maximum words of a command. The language model handles longer texts. */
const maxWords = 3_000;
/** A wildcard slot with more words is more often a complete sentence than an incomplete one. */
const maxBegun = 3;
/** Maximum filler words before a command. */
const maxLeadingWords = 30;

/** Recognises whole sentences, in time linear in the number of words. */
export function createMatcher({
  automaton,
  before,
  after,
  asides = [],
  afterAsides = new Set(),
  answers = [],
  skips = [],
  readWords,
  slotTypes,
}: MatcherOptions) {
  const read = readerOf(slotTypes);
  let literals: ReadonlySet<string> | null = null;
  const phrases = (templates: readonly Template[]) => createAutomaton(templates, { readWords });
  const leading = { always: phrases(before), paused: phrases([...asides, ...answers]), afterAsides };
  const trailing = { always: phrases(after), paused: phrases(asides) };
  const skipped = phrases(skips);

  const walkThrough = (words: readonly Word[]) =>
    walk(words, {
      states: automaton.states(),
      read,
      starts: startsOf(words, leading),
      skips: (from) => (skips.length === 0 ? [] : wholeFrom(words, from, skipped)),
    });

  /** Readings of all these words that need further words. */
  const unfinished = (words: readonly Word[]): Path[] => {
    if (words.length > maxWords) return [];
    const paths = walkThrough(words).at(-1) ?? new Map<number, Path>();
    const states = automaton.states();
    return [...paths].flatMap(([number, path]) =>
      number === 0 || states[number]?.sentence !== null ? [] : [path],
    );
  };

  return {
    /** The literal words of the sentences. */
    get words(): ReadonlySet<string> {
      literals ??= new Set(automaton.states().flatMap(({ words }) => [...words.keys()]));
      return literals;
    },

    /** The sentence that matches all of these words. */
    match(words: readonly Word[]): Match | null {
      if (words.length > maxWords) return null;
      const isEnd = endsOf(words, trailing);
      let best: Candidate | null = null;
      for (const [at, paths] of walkThrough(words).entries()) {
        if (isEnd[at]) best = bestOf(best, withRest(paths, words.length - at), automaton.states());
      }
      if (best === null) return null;
      const { sentence, path } = best;
      const endsOpen = path.filled?.mayGrow === true && path.filled.to === words.length;
      return { sentence, slots: wordsIn(path.filled, words), endsOpen };
    },

    /** Whether these words start a longer sentence. Inside a wildcard slot this is unknown. */
    isBegun: (words: readonly Word[]): boolean =>
      unfinished(words).some(({ filled }) => !isInWildcard(filled, words)),

    /** Whether so few words may start a longer sentence: its first words, and a wildcard slot after them. */
    mayBeBegun: (words: readonly Word[]): boolean =>
      words.length <= maxBegun &&
      unfinished(words).some(({ filled }) => isInWildcard(filled, words) && firstOf(filled).from > 0),
  };
}

function isInWildcard(filled: FilledSlot | null, words: readonly Word[]): filled is FilledSlot {
  return filled?.isOpen === true && filled.to === words.length;
}

function firstOf(filled: FilledSlot): FilledSlot {
  return filled.earlier === null ? filled : firstOf(filled.earlier);
}

/** The content of each slot. */
function readerOf(slotTypes: Readonly<Record<string, SlotType>>) {
  const { typeOf } = slotTypesIn(slotTypes);
  const reads = new Map<SlotStep, SlotType>();
  return (slot: SlotStep): SlotType => {
    const known = reads.get(slot);
    if (known) return known;
    const made = affixedType(typeOf(slot), slot);
    reads.set(slot, made);
    return made;
  };
}

interface Candidate {
  sentence: number;
  path: Path;
}

/** The same paths, with the cost of the words after the sentence. */
function withRest(paths: ReadonlyMap<number, Path>, words: number): ReadonlyMap<number, Path> {
  if (words === 0) return paths;
  return new Map(
    [...paths].map(([number, path]) => [number, { ...path, cost: path.cost + words * costOutside }]),
  );
}

/** The cheapest of the matches; on a tie the first in the file. */
function bestOf(found: Candidate | null, paths: ReadonlyMap<number, Path>, states: readonly State[]) {
  let best = found;
  for (const [number, path] of paths) {
    const sentence = states[number]?.sentence ?? null;
    if (sentence === null) continue;
    const dearer = best === null ? -1 : path.cost - best.path.cost || sentence - best.sentence;
    if (dearer < 0) best = { sentence, path };
  }
  return best;
}

/** A slot that is filled twice has the words of both: none is lost. */
function wordsIn(filled: FilledSlot | null, words: readonly Word[]): Match['slots'] {
  const slots = new Map<string, readonly Word[]>();
  for (let each = filled; each !== null; each = each.earlier) {
    const own = withoutAffixes(words.slice(each.from, each.to), each);
    slots.set(each.name, [...own, ...(slots.get(each.name) ?? [])]);
  }
  return slots;
}

/** Phrases allowed at one end of a sentence, always or only with a pause. */
interface Around {
  always: readonly State[];
  paused: readonly State[];
}

function isBehindPause(word: Word | undefined): boolean {
  return word !== undefined && word.gap !== '';
}

/** Positions where a sentence may start: the first, and after each allowed phrase. */
function startsOf(
  words: readonly Word[],
  { always, paused, afterAsides }: Around & { afterAsides: ReadonlySet<string> },
): boolean[] {
  const isApart = (word: Word | undefined) => isBehindPause(word) || afterAsides.has(word?.word ?? '');
  const isStart = words.map((_, at) => at === 0);
  for (let at = 0; at < Math.min(words.length, maxLeadingWords); at += 1) {
    if (!isStart[at]) continue;
    for (const end of wholeFrom(words, at, always)) isStart[end] = true;
    for (const end of wholeFrom(words, at, paused)) if (isApart(words[end])) isStart[end] = true;
  }
  return isStart;
}

/** Positions where a sentence may end: the last, and those followed only by allowed phrases. */
function endsOf(words: readonly Word[], { always, paused }: Around): boolean[] {
  const isEnd = [...words.map(() => false), true];
  for (let at = words.length - 1; at > 0; at -= 1) {
    const ends = [
      ...wholeFrom(words, at, always),
      ...(isBehindPause(words[at]) ? wholeFrom(words, at, paused) : []),
    ];
    isEnd[at] = ends.some((end) => isEnd[end]);
  }
  return isEnd;
}
