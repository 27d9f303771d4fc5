import type { State } from './automaton.ts';
import type { SlotShape } from './slot-shape.ts';
import type { SlotStep } from './word-steps.ts';
import type { Word } from './words.ts';

/** The words that may stand in a slot. */
export interface SlotType {
  /** Any words within one sentence that its shape allows. */
  isOpen?: true;
  /** For an open slot: the words it can hold. With any others the sentence does not match. */
  shape?: SlotShape;
  /** A few words, nearly any: behind them nobody can tell whether a sentence goes on. */
  isLoose?: true;
  /** For a slot that is not open: the places where it may end when it begins at `from`. None: it does not begin there. */
  ends?(words: readonly Word[], from: number): readonly number[];
  /** Words that often get longer after a breath: "an hour | and a half". */
  mayGrow?(words: readonly Word[]): boolean;
  /** Of two ways to understand a sentence the cheaper one is taken. */
  costPerWord?: number;
  /** It holds numbers, to which a unit may be written without a space: "5kg". */
  isNumber?: true;
}

/** The cost of a word before or behind a sentence. Of two sentences that fit, the one with more of the words is meant. */
export const costOutside = 0.0001;

/** The words in a slot: from one place between words to another. */
export interface Filled {
  name: string;
  from: number;
  to: number;
  isOpen: boolean;
  /** More words of it may come. */
  mayGrow: boolean;
  /** The letters of the first and the last word that are not its own. */
  before: string;
  after: string;
  earlier: Filled | null;
}

/** A way to understand the words so far. Only the cheapest one to each state is followed. */
export interface Path {
  cost: number;
  /** The slots so far, the newest first. */
  filled: Filled | null;
}

/** A slot for any words while it is being filled. */
interface OpenSlot {
  name: string;
  /** The state behind it. */
  to: number;
  from: number;
  costPerWord: number;
  shape: SlotShape | undefined;
  path: Path;
}

interface Place {
  paths: Map<number, Path>;
  open: Map<string, OpenSlot>;
}

interface WalkOptions {
  states: readonly State[];
  /** What may stand in each slot of a state. */
  reads: ReadonlyMap<SlotStep, SlotType>;
  /** The places where a sentence may begin. */
  starts: readonly boolean[];
  /** Where words end that begin at a place and mean nothing anywhere in a sentence. */
  skips(from: number): readonly number[];
}

/**
 * Follows every way to understand the words. Returns for each place between them which states are reached there. At a place a state is
 * followed once, so that the time grows with the words and nothing else.
 */
export function walk(words: readonly Word[], options: WalkOptions): ReadonlyMap<number, Path>[] {
  const places: Place[] = Array.from({ length: words.length + 1 }, () => ({
    paths: new Map(),
    open: new Map(),
  }));

  const arrive = (at: number, state: number, path: Path) => {
    const paths = places[at]?.paths;
    const known = paths?.get(state);
    if (!known || path.cost < known.cost) paths?.set(state, path);
  };
  /** The open slot holds the words up to `at`: it may end there or go on. */
  const extend = (at: number, slot: OpenSlot) => {
    const { name, from, path, to, shape } = slot;
    if (shape?.mayHold(words, from, at) === false) return;
    const filled = {
      name,
      from,
      to: at,
      isOpen: true,
      mayGrow: true,
      before: '',
      after: '',
      earlier: path.filled,
    };
    if (shape?.mayEnd(words, from, at) !== false) arrive(at, to, { cost: openCost(slot, at), filled });
    const open = places[at]?.open;
    const known = open?.get(`${name}:${to}`);
    if (!known || openCost(slot, at) < openCost(known, at)) open?.set(`${name}:${to}`, slot);
  };
  const begin = (at: number, { slot, to }: State['slots'][number], path: Path) => {
    const type = options.reads.get(slot) ?? {};
    const { isOpen = false, isLoose = false, shape, ends, mayGrow, costPerWord = 0 } = type;
    const { name, before, after } = slot;
    if (isOpen) extend(at + 1, { name, to, from: at, costPerWord, shape, path });
    for (const end of ends?.(words, at) ?? []) {
      const grows = isLoose || mayGrow?.(words.slice(at, end)) === true;
      const held = { name, from: at, to: end, before, after, earlier: path.filled };
      const filled = { ...held, isOpen: isLoose, mayGrow: grows };
      arrive(end, to, { cost: path.cost + costPerWord * (end - at), filled });
    }
  };

  const follow = (at: number, word: string, skips: readonly number[]) => (path: Path, number: number) => {
    const state = options.states[number];
    const next = state?.words.get(word);
    if (next !== undefined) arrive(at + 1, next, path);
    for (const slot of state?.slots ?? []) begin(at, slot, path);
    for (const end of skips) arrive(end, number, { ...path, cost: path.cost + (end - at) * costOutside });
  };

  for (const [at, { word, gap }] of words.entries()) {
    if (options.starts[at]) arrive(at, 0, { cost: at * costOutside, filled: null });
    const open = gap === '.' ? [] : (places[at]?.open.values() ?? []);
    for (const slot of open) extend(at + 1, slot);
    places[at]?.paths.forEach(follow(at, word, options.skips(at)));
  }
  return places.map(({ paths }) => paths);
}

function openCost({ path, costPerWord, from }: OpenSlot, at: number): number {
  return path.cost + costPerWord * (at - from);
}
