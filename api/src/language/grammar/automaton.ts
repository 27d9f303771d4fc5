import type { Steps } from './built-later.ts';
import type { Template } from './template.ts';
import { templateSteps } from './template-steps.ts';
import { createWordSteps, type SlotStep, type WordStep } from './word-steps.ts';
import type { Word, WordReader } from './words.ts';

/** A state of the automaton: the words so far lead here. */
export interface State {
  words: ReadonlyMap<string, number>;
  slots: readonly { slot: SlotStep; to: number }[];
  /** The sentence that ends here; the first in the file if several do. */
  sentence: number | null;
}

interface AutomatonOptions {
  readWords: WordReader;
  /** Whether a slot type holds numbers. */
  isNumber?: (type: string) => boolean;
}

/** A grammar with more states is too large to understand, or contains a mistake. */
const maxStates = 20_000;

/**
 * Builds one automaton from many sentences. A word leads from a state to at most one other. So the reading
 * time does not grow with the number of sentences. State 0 is the start.
 */
export function createAutomaton(sentences: readonly Template[], options: AutomatonOptions): readonly State[] {
  const building = buildAutomaton(sentences, options);
  for (;;) {
    const { done, value } = building.next();
    if (done === true) return value;
  }
}

/** The same automaton, with one state in each step. */
export function* buildAutomaton(
  sentences: readonly Template[],
  { readWords, isNumber = () => false }: AutomatonOptions,
): Steps<readonly State[]> {
  const { steps, ends } = templateSteps(sentences);
  const stepsFrom = createWordSteps({ steps, ends, readWords, isNumber });

  /**
   * The places reachable from a place without a word, limited to those followed by a word or a sentence end.
   */
  const onward = new Map<number, readonly number[]>();
  const reachedFrom = (place: number): readonly number[] => {
    const known = onward.get(place);
    if (known) return known;
    const found = new Set<number>();
    for (const { word, slot, to } of stepsFrom(place)) {
      if (word !== undefined || slot) found.add(place);
      else for (const each of reachedFrom(to)) found.add(each);
    }
    if (ends.has(place)) found.add(place);
    const all = [...found];
    onward.set(place, all);
    return all;
  };
  const reached = (from: readonly number[]): number[] =>
    [...new Set(from.flatMap(reachedFrom))].sort((one, other) => one - other);

  const states: State[] = [];
  const numbers = new Map<string, number>();
  const sets: number[][] = [];
  const numberOf = (from: readonly number[]): number => {
    const set = reached(from);
    const key = set.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (sets.length >= maxStates) throw new Error('too many choices in the sentences');
    numbers.set(key, sets.length);
    sets.push(set);
    return sets.length - 1;
  };

  numberOf([0]);
  for (let at = 0; at < sets.length; at += 1) {
    const set = sets[at] ?? [];
    const { words, slots } = joined(set.flatMap(stepsFrom));
    states.push({
      words: new Map([...words].map(([word, to]) => [word, numberOf(to)])),
      slots: slots.map(({ slot, to }) => ({ slot, to: numberOf(to) })),
      sentence: set.reduce<number | null>((first, each) => smaller(first, ends.get(each) ?? null), null),
    });
    yield;
  }
  return states;
}

/** The ends of the sentences that start at a place. For an automaton without slots. */
export function wholeFrom(words: readonly Word[], from: number, states: readonly State[]): number[] {
  const ends: number[] = [];
  let state: State | undefined = states[0];
  for (let at = from; state !== undefined; at += 1) {
    if (state.sentence !== null && at > from) ends.push(at);
    const next = state.words.get(words[at]?.word ?? '');
    state = next === undefined ? undefined : states[next];
  }
  return ends;
}

/** Merges the steps of several places, by word and by slot. */
function joined(all: readonly WordStep[]) {
  const words = new Map<string, number[]>();
  const slots = new Map<string, { slot: SlotStep; to: number[] }>();
  for (const { word, slot, to } of all) {
    if (word !== undefined) {
      const known = words.get(word);
      if (known) known.push(to);
      else words.set(word, [to]);
    }
    if (!slot) continue;
    const key = [slot.name, slot.type, slot.before, slot.after].join(':');
    const known = slots.get(key);
    if (known) known.to.push(to);
    else slots.set(key, { slot, to: [to] });
  }
  return { words, slots: [...slots.values()] };
}

function smaller(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
