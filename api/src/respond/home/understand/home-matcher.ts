import type { Grammar } from '../../../language/grammar/grammar.ts';
import type { Match } from '../../../language/grammar/matcher.ts';
import { runSlot } from '../../../language/grammar/run-slot.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { HomeWords } from './home-words.ts';
import { targetSlotsOf } from './spoken.ts';
import type { TargetReader } from './target-reader.ts';
import { type HomeIntent, isHomeIntent } from './understood.ts';
import { createWordFinder } from './word-finder.ts';

const maxNameWords = 5;
const maxValueWords = 4;

interface HomeMatcherOptions {
  grammar: Grammar;
  sentences: Readonly<Record<string, readonly string[]>>;
  words: HomeWords;
  targets: TargetReader;
}

export type HomeMatcher = ReturnType<typeof createHomeMatcher>;

/** Finds the sentence in `skills/home.yaml` that matches all words. */
export function createHomeMatcher({ grammar, sentences, words: data, targets }: HomeMatcherOptions) {
  const known = Object.entries(sentences).flatMap(([intent, texts]) =>
    isHomeIntent(intent)
      ? texts.map((text) => ({ intent, sentence: { text, place: `skills/home.yaml: ${intent}` } }))
      : [],
  );
  const matcher = grammar.matcher({
    sentences: known.map(({ sentence }) => sentence),
    slotTypes: slotTypesOf(data, { grammar, targets }),
  });

  return {
    match(words: readonly Word[]): { match: Match; intent: HomeIntent } | null {
      const match = matcher.match(words);
      const intent = match && known[match.sentence]?.intent;
      return match && intent ? { match, intent } : null;
    },

    /** The same sentence without optional words at both ends: Home Assistant gets no "could you". */
    core(words: readonly Word[], { sentence, slots }: Match): readonly Word[] {
      const isSame = (from: number, to: number) => {
        const match = matcher.match(words.slice(from, to));
        if (match?.sentence !== sentence) return false;
        return [...slots].every(([name, held]) => match.slots.get(name)?.length === held.length);
      };
      let [from, to] = [0, words.length];
      for (let at = 1; at < to; at += 1) if (isSame(at, to)) from = at;
      for (let at = to - 1; at > from; at -= 1) if (isSame(from, at)) to = at;
      return words.slice(from, to);
    },
  };
}

const either = (...types: readonly SlotType[]): SlotType => ({
  ends: (words, from) => types.flatMap(({ ends }) => ends?.(words, from) ?? []),
});

/** Four or five digits, as in "3000" and "3,000". */
const isKelvin = (word: string) => /^\d{1,2},?\d{3}$/.test(word);

/** From one to ten, in words and digits. */
function levelsOf(numbers: HomeWords['numbers']): string[] {
  const few = Object.entries(numbers).filter(([, value]) => value > 0 && value <= 10);
  return few.flatMap(([word, value]) => [word, String(value)]);
}

/** Every word for a color of light. */
export function colorsIn({ colors, color_names, whites }: HomeWords): readonly string[] {
  return [...colors, ...Object.keys(color_names), ...Object.keys(whites)];
}

function slotTypesOf(
  data: HomeWords,
  { grammar, targets }: Pick<HomeMatcherOptions, 'grammar' | 'targets'>,
): Readonly<Record<string, SlotType>> {
  const fixed = (texts: readonly string[]): SlotType => {
    const phrases = createWordFinder(texts, grammar.readWords);
    return { ends: (words, from) => phrases.at(words, from).map(({ end }) => end) };
  };
  /** A run of words without a pause. */
  const run = (most: number, costPerWord: number, isAllowed: (word: string) => boolean) =>
    runSlot({ most, costPerWord, isAllowed, endsAt: (gap) => gap !== '' });

  const kelvinAt = (words: readonly Word[], from: number) => {
    const [number = '', unit = ''] = words.slice(from, from + 2).map(({ word }) => word);
    return { isNumber: isKelvin(number), hasUnit: data.kelvin.includes(unit) };
  };
  const kelvin: SlotType = {
    ends: (words, from) => {
      const { isNumber, hasUnit } = kelvinAt(words, from);
      return isNumber && hasUnit ? [from + 2] : [];
    },
  };

  const [values, notInNames] = [new Set(data.values), new Set(data.not_in_names)];
  const isValue = (word: string) => /^[\d%]/.test(word) || values.has(word);
  return {
    ...targetSlotsOf(targets),
    area: { ends: targets.areasAt },
    state: fixed(data.states),
    floor: fixed([...data.floors, ...data.everywhere]),
    whole: fixed(data.whole),
    half: fixed(data.half),
    done: fixed(Object.keys(data.done)),
    measure: fixed(data.measures),
    color: either(fixed(colorsIn(data)), kelvin),
    kelvin: { ends: (words, from) => (kelvinAt(words, from).isNumber ? [from + 1] : []) },
    level: fixed(levelsOf(data.numbers)),
    value: run(maxValueWords, 0, isValue),
    amount: run(maxValueWords, 0, isValue),
    // Costs more than any known name.
    thing: run(maxNameWords, 5, (word) => /^\p{L}/u.test(word) && !notInNames.has(word)),
  };
}
