import type { State } from './automaton.ts';
import type { SlotShape } from './slot-shape.ts';
import type { SlotStep } from './word-steps.ts';
import type { Word } from './words.ts';

/** The words allowed in a slot. */
export interface SlotType {
  /** Any words within one sentence that its shape allows. */
  isOpen?: true;
  /** For an open slot: its allowed words. Other words do not match the sentence. */
  shape?: SlotShape;
  /** Nearly any few words: after them the end of the sentence is unclear. */
  isLoose?: true;
  /**
   * For a slot that is not open: its possible ends when it starts at `from`. Empty: it does not start there.
   */
  ends?(words: readonly Word[], from: number): readonly number[];
  /** Words that often continue after a breath: "an hour | and a half". */
  mayGrow?(words: readonly Word[]): boolean;
  /** The cheaper of two readings wins. */
  costPerWord?: number;
  /** It holds numbers; a unit may follow without a space: "5kg". */
  isNumber?: true;
}

/** The cost of a word outside the sentence. The sentence that covers more words wins. */
export const costOutside = 0.0001;

/** The words in a slot, from one position to another. */
export interface FilledSlot {
  name: string;
  from: number;
  to: number;
  isOpen: boolean;
  /** More words may follow. */
  mayGrow: boolean;
  /** Letters attached to the first and the last word. */
  before: string;
  after: string;
  earlier: FilledSlot | null;
}

/** A reading of the words so far. Only the cheapest reading of each state continues. */
export interface Path {
  cost: number;
  /** The slots so far, newest first. */
  filled: FilledSlot | null;
}

/** A wildcard slot that is still being filled. */
interface OpenSlot {
  name: string;
  /** The state after it. */
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
  /** The words allowed in a slot of a state. */
  read(slot: SlotStep): SlotType;
  /** Positions where a sentence may start. */
  starts: readonly boolean[];
  /** The ends of the meaningless phrases that start at a position. */
  skips(from: number): readonly number[];
}

/**
 * Follows every reading of the words. Returns the states reached at each position. It visits each state once
 * per position, so the time is linear in the words.
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
  /** The open slot holds the words up to `at`. It may end or continue. */
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
    const { isOpen = false, isLoose = false, shape, ends, mayGrow, costPerWord = 0 } = options.read(slot);
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
