import type { Template } from './template.ts';

/** A step from a place in a sentence to another. Without text, space and slot it is one that nothing is said for. */
export interface TemplateStep {
  text?: string;
  space?: true;
  slot?: { name: string; type: string };
  to: number;
}

export interface TemplateSteps {
  /** From each place. */
  steps: TemplateStep[][];
  /** The sentence that ends at a place. */
  ends: ReadonlyMap<number, number>;
}

/** More places are a mistake in the sentences, or bad will. */
const maxPlaces = 2_000_000;

/** Letters of scripts that put no spaces between words: each is a word of its own, in what is said and in sentences. */
export const unspaced =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]]';
const unspacedLetters = new RegExp(`(${unspaced})`, 'gv');

/** Sentences as steps from place to place, several of which may be open at once. Place 0 is the beginning of them all. */
export function templateSteps(sentences: readonly Template[]): TemplateSteps {
  const steps: TemplateStep[][] = [[]];
  const ends = new Map<number, number>();
  const place = () => {
    if (steps.length >= maxPlaces) throw new Error('too many choices in the sentences');
    return steps.push([]) - 1;
  };
  const step = (from: number, made: TemplateStep) => steps[from]?.push(made);
  const stepTo = (from: number, made: Omit<TemplateStep, 'to'>): number => {
    const to = place();
    step(from, { ...made, to });
    return to;
  };

  /** Each part a step of its own, so that letters of scripts without spaces are words of their own. */
  const text = (from: number, written: string): number =>
    written.split(unspacedLetters).reduce((at, letters, index) => {
      if (letters === '') return at;
      if (index % 2 === 0) return stepTo(at, { text: letters });
      return stepTo(stepTo(stepTo(at, { space: true }), { text: letters }), { space: true });
    }, from);

  /** A place for each set of the parts that were said; a bit of its number stands for each. */
  const permutation = (from: number, parts: readonly Template[]): number => {
    const said = new Map<number, number>([[0, from]]);
    const all = 2 ** parts.length - 1;
    for (let set = 0; set < all; set += 1) {
      for (const [index, part] of parts.entries()) {
        const bit = 2 ** index;
        if (set & bit) continue;
        const next = said.get(set | bit) ?? place();
        said.set(set | bit, next);
        step(add(said.get(set) ?? from, part), { to: next });
      }
    }
    return said.get(all) ?? from;
  };

  /** Adds a part behind a place. Returns the place behind the part. */
  const add = (from: number, part: Template): number => {
    if (part.kind === 'row') return part.parts.reduce(add, from);
    if (part.kind === 'text') return text(from, part.text);
    if (part.kind === 'space') return stepTo(from, { space: true });
    if (part.kind === 'slot') return stepTo(from, { slot: { name: part.name, type: part.type } });
    if (part.kind === 'permutation') return permutation(from, part.parts);
    const to = place();
    for (const option of part.options) step(add(from, option), { to });
    return to;
  };

  for (const [number, sentence] of sentences.entries()) {
    const begin = place();
    step(0, { to: begin });
    const behind = place();
    step(add(begin, sentence), { to: behind });
    ends.set(behind, number);
  }
  return { steps, ends };
}
