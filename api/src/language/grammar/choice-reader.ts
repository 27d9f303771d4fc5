import { z } from 'zod';
import { joinedWords, type Word, type WordReader } from './words.ts';

const lines = z.array(z.string().trim().min(1));

/** `choosing` in `grammar.yaml`: the words of an answer to "which one?". */
export const choosingSchema = z.strictObject({
  /** Words that choose nothing: "THE pasta ONE". */
  little: lines,
  /** Words for all of them: "both". */
  all: lines,
  /** Words for a place among them, from 0: "first", "number one". Negative places count from the end. */
  ordinals: z.record(z.string(), z.int()),
});

interface Chosen<T> {
  things: readonly T[];
  /** The answer fits several, and does not say that it means all of them. */
  isUnclear: boolean;
}

/**
 * Reads which of the offered things an answer chooses. `described` returns those that fit the telling words.
 * Null: it chooses none of them.
 */
export type ChoiceReader = <T>(
  text: string,
  things: readonly T[],
  described: (words: readonly Word[]) => readonly T[],
) => Chosen<T> | null;

export function createChoiceReader(
  { little, all, ordinals }: z.infer<typeof choosingSchema>,
  readWords: WordReader,
): ChoiceReader {
  const [isLittle, isAll] = [little, all].map(
    (texts) => new Set(texts.flatMap((text) => readWords(text).map(({ word }) => word))),
  ) as [Set<string>, Set<string>];
  const placeOf = new Map(Object.entries(ordinals));
  return (text, things, described) => {
    const said = readWords(text);
    const telling = said.filter(({ word }) => !isLittle.has(word) && !isAll.has(word));
    const saysAll = said.some(({ word }) => isAll.has(word));
    const [first] = telling;
    if (!first) return saysAll ? { things, isUnclear: false } : null;
    // "Number one" is no thing with that name.
    const numbered = placeOf.get(joinedWords(said));
    const fitting = numbered === undefined ? described(telling) : [];
    if (fitting.length > 0) return { things: fitting, isUnclear: fitting.length > 1 && !saysAll };
    const nth = nthOf(things, numbered ?? placeOf.get(joinedWords(telling)));
    return nth === undefined ? null : { things: [nth], isUnclear: false };
  };
}

function nthOf<T>(things: readonly T[], place: number | undefined): T | undefined {
  return place === undefined ? undefined : things.at(place);
}
