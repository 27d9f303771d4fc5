import type { Template } from './template.ts';

/** A step between two places of a sentence. Without text, space and slot it consumes nothing. */
export interface TemplateStep {
  text?: string;
  space?: true;
  slot?: { name: string; type: string };
  to: number;
}

export interface TemplateSteps {
  /** The steps from each place. */
  steps: TemplateStep[][];
  /** The sentence that ends at each place. */
  ends: ReadonlyMap<number, number>;
}

/** More places mean a mistake in the sentences, or an attack. */
const maxPlaces = 2_000_000;

/** Letters of scripts without spaces: each counts as a word. */
export const unspaced =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]]';
const unspacedLetters = new RegExp(`(${unspaced})`, 'gv');

/** Turns sentences into steps between places; several may be open at once. Place 0 is their common start. */
export function templateSteps(sentences: readonly Template[]): TemplateSteps {
  const none: TemplateStep[] = [];
  const steps = [none];
  const ends = new Map<number, number>();
  const place = () => {
    if (steps.length >= maxPlaces) throw new Error('too many choices in the sentences');
    return steps.push(none) - 1;
  };
  const step = (from: number, made: TemplateStep) => {
    // A list of exactly one, because nearly all have one. A list that grows has room for 16 more.
    if (steps[from] === none) steps[from] = [made];
    else steps[from]?.push(made);
  };
  const stepTo = (from: number, made: Omit<TemplateStep, 'to'>): number => {
    const to = place();
    step(from, { ...made, to });
    return to;
  };

  /** One step per part, so that letters of scripts without spaces become words. */
  const text = (from: number, written: string): number =>
    written.split(unspacedLetters).reduce((at, letters, index) => {
      if (letters === '') return at;
      if (index % 2 === 0) return stepTo(at, { text: letters });
      return stepTo(stepTo(stepTo(at, { space: true }), { text: letters }), { space: true });
    }, from);

  /** A place for each set of parts already read; each bit of its number marks one part. */
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

  /** Adds a part after a place, and returns the place after the part. */
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
