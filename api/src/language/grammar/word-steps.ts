import type { TemplateStep, TemplateSteps } from './template-steps.ts';
import type { WordReader } from './words.ts';

/** A slot in a sentence, with its attached letters: "der {area}s" has an "s" at the end. */
export interface SlotStep {
  name: string;
  type: string;
  before: string;
  after: string;
}

/** A step by a word or a slot, from a word position. Without either it consumes nothing. */
export interface WordStep {
  word?: string;
  slot?: SlotStep;
  to: number;
}

interface WordStepsOptions extends TemplateSteps {
  readWords: WordReader;
  /** Digits and the letters after them are separate words: "5kg". */
  isNumber: (type: string) => boolean;
}

/** The rest of a word, and the position after it. */
interface Rest {
  text: string;
  to: number;
  /** A slot follows without a space. */
  isBeforeSlot: boolean;
}

type Row = readonly Omit<WordStep, 'to'>[];

/** More forms mean a mistake in the sentences, or an attack. */
const maxForms = 5_000;

/** Placeholder for a slot while its surrounding words are read. No language uses the letter. */
const letterForSlot = 'ꞎ';
const digitForSlot = '7';

/** Builds word steps of sentences from their letter steps. */
export function createWordSteps({ steps, ends, readWords, isNumber }: WordStepsOptions) {
  const known = new Map<number, readonly WordStep[]>();
  const rests = new Map<number, readonly Rest[]>();
  const place = () => steps.push([]) - 1;

  /** All continuations within a word at this place. */
  const restsFrom = (at: number): readonly Rest[] => {
    const before = rests.get(at);
    if (before) return before;
    const found = (steps[at] ?? []).flatMap(restsOf);
    if (ends.has(at)) found.push({ text: '', to: at, isBeforeSlot: false });
    const all = found.length < 2 ? found : withoutDoubles(found);
    if (all.length > maxForms) throw new Error('a word with too many forms');
    rests.set(at, all);
    return all;
  };
  const restsOf = (step: TemplateStep): readonly Rest[] => {
    if (step.space) return [{ text: '', to: step.to, isBeforeSlot: false }];
    if (step.slot) {
      const alone = steps.push([step]) - 1;
      return [{ text: '', to: alone, isBeforeSlot: true }];
    }
    const { text = '', to } = step;
    return text === '' ? restsFrom(to) : restsFrom(to).map((rest) => ({ ...rest, text: text + rest.text }));
  };

  /** A chain of words and slots to a place, as its first step. */
  const chain = (row: Row, to: number): WordStep => {
    const [first = {}, ...more] = row;
    if (more.length === 0) return { ...first, to };
    const between = place();
    known.set(between, [chain(more, to)]);
    return { ...first, to: between };
  };
  const wordsOf = onceFor((text = '') => readWords(text).map(({ word }) => ({ word })));
  /** The slot with the words attached before and after it. */
  const slotRow = onceFor((name = '', type = '', before = '', behind = ''): Row => {
    const sign = isNumber(type) ? digitForSlot : letterForSlot;
    return readWords(`${before}${sign}${behind}`).map(({ word }) => {
      const at = word.indexOf(sign);
      if (at < 0) return { word };
      return { slot: { name, type, before: word.slice(0, at), after: word.slice(at + sign.length) } };
    });
  });
  const slotSteps = (step: TemplateStep, before: string): WordStep[] => {
    const { slot } = step;
    if (!slot) return [];
    const { name, type } = slot;
    return restsFrom(step.to).map(({ text, to }) => chain(slotRow(name, type, before, text), to));
  };
  const textSteps = ({ text = '', to }: TemplateStep): WordStep[] =>
    restsFrom(to).flatMap((rest) =>
      rest.isBeforeSlot
        ? (steps[rest.to] ?? []).flatMap((slot) => slotSteps(slot, text + rest.text))
        : [chain(wordsOf(text + rest.text), rest.to)],
    );

  /** Starts at a word position. */
  return (from: number): readonly WordStep[] => {
    const before = known.get(from);
    if (before) return before;
    const found = (steps[from] ?? []).flatMap((step) => {
      if (step.slot) return slotSteps(step, '');
      return step.text === undefined ? [{ to: step.to }] : textSteps(step);
    });
    known.set(from, found);
    return found;
  };
}

function withoutDoubles(all: readonly Rest[]): readonly Rest[] {
  return [...new Map(all.map((each) => [`${each.text} ${each.to}`, each])).values()];
}

/** Caches by text, because many sentences share the same words. */
function onceFor<T>(read: (...texts: readonly string[]) => T): (...texts: readonly string[]) => T {
  const known = new Map<string, T>();
  return (...texts) => {
    const key = texts.join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = read(...texts);
    known.set(key, made);
    return made;
  };
}
