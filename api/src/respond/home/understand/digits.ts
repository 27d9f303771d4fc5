import type { Word } from '../../../language/grammar/words.ts';
import { textOf } from '../../../language/grammar/words.ts';
import { digitsOf } from '../../../language/numbers/fraction.ts';
import type { WishGrammar } from './home-wishes.ts';
import type { HomeWords } from './home-words.ts';

const maxDecimals = 2;

/**
 * Replaces number words by digits: "seventy two degrees" becomes "72 degrees". Home Assistant accepts number
 * words, and then fails on its own answer.
 */
export function createDigitsReader(
  { numbers: known }: Pick<HomeWords, 'numbers'>,
  { numbers }: Pick<WishGrammar, 'numbers'>,
) {
  return (text: string, said: readonly Word[]): string => {
    const at = said.findIndex(({ word }) => Object.hasOwn(known, word));
    const number = at < 0 ? null : numbers.read(said, at);
    if (!number) return text;
    const inWords = said.slice(at, number.end);
    const [start, end] = [inWords[0]?.start ?? 0, inWords.at(-1)?.end ?? 0];
    const digits = digitsOf(number.value, { ...numbers.marks, thousands: '' }, maxDecimals);
    return textOf(text, inWords) === '' ? text : text.slice(0, start) + digits + text.slice(end);
  };
}
