import type { SlotType } from './walk.ts';
import type { Word } from './words.ts';

/** Letters attached to the first and the last word of a slot: "der {area}s" has an "s" at the end. */
interface Affixes {
  before: string;
  after: string;
}

/** Maximum words of a name with attached letters. */
const maxWords = 8;

/** The slot type of names with these letters attached. */
export function affixedType(type: SlotType, affixes: Affixes): SlotType {
  if (affixes.before === '' && affixes.after === '') return type;
  const { costPerWord = 0, isLoose, shape, isOpen, ends } = type;
  const fits = (words: readonly Word[]): boolean =>
    isOpen === true ? (shape?.fits(words) ?? true) : (ends?.(words, 0).includes(words.length) ?? false);
  return {
    costPerWord,
    ...(isLoose && { isLoose }),
    ends(words, from) {
      const found: number[] = [];
      if (!words[from]?.word.startsWith(affixes.before)) return found;
      for (let to = from + 1; to <= Math.min(words.length, from + maxWords); to += 1) {
        const last = words[to - 1];
        if (to - from > 1 && last?.gap === '.') break;
        if (!last?.word.endsWith(affixes.after)) continue;
        const said = words.slice(from, to);
        if (isMoreThan(said, affixes) && fits(withoutAffixes(said, affixes))) found.push(to);
      }
      return found;
    },
  };
}

/** The words without the attached letters. */
export function withoutAffixes(words: readonly Word[], { before, after }: Affixes): readonly Word[] {
  if (before === '' && after === '') return words;
  return words.map((each, at) => {
    const [front, back] = [at === 0 ? before.length : 0, at === words.length - 1 ? after.length : 0];
    const { word, start, end, gap } = each;
    return { word: word.slice(front, word.length - back), start: start + front, end: end - back, gap };
  });
}

/** Whether the first and last word contain more than the attached letters. */
function isMoreThan(words: readonly Word[], { before, after }: Affixes): boolean {
  const [first, last] = [words[0]?.word.length ?? 0, words.at(-1)?.word.length ?? 0];
  return words.length === 1
    ? first > before.length + after.length
    : first > before.length && last > after.length;
}
