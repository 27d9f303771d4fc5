import type { Template } from './template.ts';

/** A state of the automaton: where the words so far have led. */
export interface State {
  words: ReadonlyMap<string, number>;
  slots: readonly { name: string; type: string; to: number }[];
  /** The sentence that is whole here: the first of the file, where several are. */
  sentence: number | null;
}

/** A grammar with more states is too large to understand, or has a mistake in it. */
const mostStates = 20_000;

interface Step {
  /** Both undefined: a step without a word. */
  word?: string;
  slot?: { name: string; type: string };
  to: number;
}

/**
 * Many sentences as one automaton. A word leads from a state to at most one other, so that the time to read a sentence does not grow with the
 * number of sentences. State 0 is the beginning.
 */
export function createAutomaton(sentences: readonly Template[]): readonly State[] {
  const { steps, start, ends } = withChoices(sentences);

  /** The places that a place leads to without a word, as far as they matter: those with a word behind them, or the end of a sentence. */
  const onward = new Map<number, readonly number[]>();
  const reachedFrom = (place: number): readonly number[] => {
    const known = onward.get(place);
    if (known) return known;
    const found = new Set<number>();
    for (const { word, slot, to } of steps[place] ?? []) {
      if (word || slot) found.add(place);
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
    if (sets.length >= mostStates) throw new Error('too many choices in the sentences');
    numbers.set(key, sets.length);
    sets.push(set);
    return sets.length - 1;
  };

  numberOf([start]);
  for (let at = 0; at < sets.length; at += 1) {
    const set = sets[at] ?? [];
    const { words, slots } = stepsOf(set.flatMap((each) => steps[each] ?? []));
    states.push({
      words: new Map([...words].map(([word, to]) => [word, numberOf(to)])),
      slots: slots.map(({ name, type, to }) => ({ name, type, to: numberOf(to) })),
      sentence: set.reduce<number | null>((first, each) => smaller(first, ends.get(each) ?? null), null),
    });
  }
  return states;
}

/** The sentences as steps from place to place, several of which may be open at once. */
function withChoices(sentences: readonly Template[]) {
  const steps: Step[][] = [[]];
  const ends = new Map<number, number>();
  const place = () => steps.push([]) - 1;
  const step = (from: number, made: Step) => steps[from]?.push(made);

  /** Adds a part behind a place. Returns the place behind the part. */
  const add = (from: number, part: Template): number => {
    if (part.kind === 'row') return part.parts.reduce(add, from);
    const to = place();
    if (part.kind === 'word') step(from, { word: part.word, to });
    else if (part.kind === 'slot') step(from, { slot: { name: part.name, type: part.type }, to });
    else for (const option of part.options) step(add(from, option), { to });
    return to;
  };

  for (const [number, sentence] of sentences.entries()) {
    const begin = place();
    step(0, { to: begin });
    const end = add(begin, sentence);
    const behind = place();
    step(end, { to: behind });
    ends.set(behind, number);
  }
  return { steps, start: 0, ends };
}

/** Where the steps of several places lead, by word and by slot. */
function stepsOf(all: readonly Step[]) {
  const words = new Map<string, number[]>();
  const slots = new Map<string, { name: string; type: string; to: number[] }>();
  for (const { word, slot, to } of all) {
    if (word) {
      const known = words.get(word);
      if (known) known.push(to);
      else words.set(word, [to]);
    }
    if (!slot) continue;
    const key = `${slot.name}:${slot.type}`;
    const known = slots.get(key);
    if (known) known.to.push(to);
    else slots.set(key, { ...slot, to: [to] });
  }
  return { words, slots: [...slots.values()] };
}

function smaller(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
