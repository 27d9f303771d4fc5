import { withCapital } from '../language/capitals.ts';
import { fill } from '../language/phrase.ts';
import type { Speaking } from '../language/speaking-schema.ts';
import { anyOf, type Rule, wordEnds } from './rule.ts';

const letterValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1_000 };
/** A modern Roman numeral below 400; it must contain one of these letters. */
const numeral = /(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})/u.source;
/** Unicode's characters for Roman numerals, which have no other meaning. */
const signs = /[Ⅰ-Ⅿⅰ-ⅿ]+/u.source;
const first = /I/u.source;
/** Without context these are letters, sizes and abbreviations: "an IV", "XL", "Vitamin C". */
const plain = /(?=[IVX]{2}|[LC]?[XLIV]{3})/u.source;

/** Spells Roman numerals as people say them: "World War 2", "Henry the 8th". */
export function createRomanRules({ roman, ordinalOf, abbreviations }: Speaking): Rule[] {
  const { numbered, rulers, in_order, goes_on, ordinal, ordinal_endings } = roman;
  const place = (value: number): string =>
    fill(ordinal, { n: String(value), ending: ordinal_endings[ordinalOf(value)] });
  // In "Part I like", the "I" is a pronoun and the sentence goes on.
  const isNumber = `(?!${first}(?! ${anyOf(goes_on)}${wordEnds}) \\p{L})`;
  const afterWord = new RegExp(
    `(?<=(?<!\\p{L})${anyOf(numbered.flatMap((word) => [word, withCapital(word)]))} )${isNumber}(${numeral})${wordEnds}`,
    'gu',
  );
  const afterRuler = new RegExp(
    `(?<=(?<!\\p{L})${anyOf(rulers)} )(?:${isNumber}${numeral}|${signs})${wordEnds}`,
    'gu',
  );
  const afterName = new RegExp(`(?<=\\p{Lu}\\p{Ll}+ )${plain}(${numeral})${wordEnds}`, 'gu');
  const endings = anyOf(Object.values(ordinal_endings));
  const inOrder = new RegExp(
    `(?<![\\p{L}\\p{N}])(${numeral})${endings}?(?= ${anyOf(in_order)}${wordEnds})`,
    'gu',
  );
  // "Vol. III"; "No. I" is a sentence.
  const afterAbbreviation = new RegExp(
    `(?<=(?<!\\p{L})${anyOf(Object.keys(abbreviations.before_numbers).flatMap((word) => [word, withCapital(word)]))}\\. )(?!${first}${wordEnds})(${numeral})${wordEnds}`,
    'gu',
  );
  // "World Wars 1 and II"
  const afterNumber = new RegExp(
    `(?<=(?<!\\d)\\d{1,2} (?:\\p{Ll}{1,3}|[–-]) )${plain}(${numeral})${wordEnds}`,
    'gu',
  );
  return [
    (text) =>
      text.replace(inOrder, (_, written: string) => {
        const value = numberOf(written);
        return `${value}${ordinal_endings[ordinalOf(value)]}`;
      }),
    (text) => text.replace(afterAbbreviation, (written) => String(numberOf(written))),
    (text) => text.replace(afterRuler, (written) => place(numberOf(written))),
    (text) => text.replace(afterWord, (written) => String(numberOf(written))),
    (text) => text.replace(afterName, (written) => String(numberOf(written))),
    (text) => text.replace(afterNumber, (written) => String(numberOf(written))),
    (text) => text.replace(new RegExp(signs, 'gu'), (written) => String(numberOf(written))),
  ];
}

function numberOf(written: string): number {
  const values = [...written.normalize('NFKC').toUpperCase()].map((letter) => letterValues[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
