import type { WordReader } from '../../language/grammar/words.ts';
import type { QueryWords } from './query-shape.ts';

/** Shorter words keep their endings. */
const minStem = 3;

export type Stems = ReturnType<typeof createStems>;

/** Reduces words to a common form, to compare names with questions: "lights" and "light" are the same. */
export function createStems(
  { endings }: Pick<QueryWords, 'endings'>,
  { readWords, same }: { readWords: WordReader; same: readonly (readonly string[])[] },
) {
  const known = Object.entries(endings).toSorted(([one], [other]) => other.length - one.length);
  const stem = (said: string): string => {
    // "Emma's", which people also write "Emmas".
    const word = said.replaceAll("'", '');
    const found = known.find(([ending]) => word.endsWith(ending) && word.length - ending.length >= minStem);
    return found ? word.slice(0, -found[0].length) + found[1] : word;
  };
  const of = (text: string): string[] => readWords(text).map(({ word }) => stem(word));
  /** Maps each phrase to the words of its synonyms. */
  const alike = same.flatMap((phrases) => {
    const stems = phrases.map(of);
    return stems.map((phrase) => ({ phrase, others: stems.flat() }));
  });

  return {
    stem,
    of,
    /** The stems of a name and of its synonyms. */
    wide(name: string): string[] {
      const stems = of(name);
      const has = (phrase: readonly string[]) => phrase.every((each) => stems.includes(each));
      return [...stems, ...alike.filter(({ phrase }) => has(phrase)).flatMap(({ others }) => others)];
    },
  };
}
