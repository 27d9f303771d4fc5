import type { Speaking } from '../language/speaking-schema.ts';
import { plainText } from './plain-text.ts';
import { createRomanRules } from './roman-numerals.ts';
import { anyOf, type Rule } from './rule.ts';
import { createAddressRule } from './spoken-addresses.ts';
import { createDateRules, createDigitRules } from './spoken-dates.ts';
import { createMoneyRules } from './spoken-money.ts';
import { createSymbolRules } from './spoken-symbols.ts';
import { createUnitRules } from './spoken-units.ts';
import { createAbbreviationRules, createTableRule } from './spoken-words.ts';

/** In odd texts, one rule may create a match for another. The second pass rarely changes anything. */
const maxPasses = 6;

/**
 * Creates the function that turns a text into the words a voice says, which people also read. It removes
 * marks, links and emoji, and spells out units, signs and abbreviations. The result is empty if there is
 * nothing to say, and a second call changes nothing.
 */
export function createSpeakable(speaking: Speaking): (text: string) => string {
  const sayAddresses = createAddressRule(speaking);
  const rules: Rule[] = [
    createTableRule(speaking.said_as),
    ...createRomanRules(speaking),
    ...createDateRules(speaking),
    ...createDigitRules(speaking),
    ...createMoneyRules(speaking),
    ...createUnitRules(speaking),
    // "5 min." must be read as a unit before the abbreviation rules run.
    ...createAbbreviationRules(speaking),
    ...createSymbolRules(speaking),
    createTableRule(speaking.corrections),
  ];
  const optional = new RegExp(String.raw`\((${anyOf(speaking.optional_endings)})\)`, 'gu');
  const say = (text: string): string => {
    const plain = plainText(text, { code: speaking.code, sayAddresses });
    return tidy(rules.reduce((words, rule) => rule(words), plain).replace(optional, '$1'));
  };
  return (text) => {
    let words = text;
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const said = say(words);
      if (said === words) break;
      words = said;
    }
    return words;
  };
}

/** Matches everything except letters, digits and plain sentence marks of any script. */
const unsaid = /[^\p{L}\p{M}\p{N}.,;:!?¿¡。、！？，：；「」『』؟،।'’"“”„‘‚–—… -]/gu;
const marks = '[.,;:!?–]';
const runOfMarks = new RegExp(`(?:\\s?${marks}){2,}|\\s[.,;:!?]`, 'gu');

/** Keeps only words and plain sentence marks, each in its place. */
function tidy(text: string): string {
  const words = text
    // "(a) cost" in an enumeration.
    .replace(/(?<!\S)\((\p{Ll})\)(?= )/gu, '$1,')
    // Program options, "--fast".
    .replace(/(?<= )--?(?=\p{L})/gu, '')
    .replace(/(?<=[\p{L}\p{N}]) \(/gu, ', ')
    .replace(/\)(?= [\p{L}\p{N}])/gu, ',')
    .replace(unsaid, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?(?:[—–]|--+) ?|(?<= )-(?= )/g, ' – ')
    .replace(/(?<![\p{L}\p{N}])-+|-+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?(?:…|\.{2,})\.*(?=( ?)(\S?))/gu, (_, gap: string, next: string) => {
      const isOver = next === '' || /[\p{Lu}"“„‘‚]/u.test(next);
      return `${isOver ? '.' : ','}${gap === '' && next !== '' ? ' ' : ''}`;
    })
    .replace(runOfMarks, (run, at: number, whole: string) =>
      strongest(run, whole.slice(Math.max(0, at - 2), at)),
    )
    .replace(/ {2,}/g, ' ')
    .replace(/^[^\p{L}\p{N}"“„'‘‚]+/u, '')
    .trim()
    .replace(/ ?–$/, ',')
    .normalize('NFC');
  return /[\p{L}\p{N}]/u.test(words) ? words : '';
}

/**
 * Of several adjacent marks, keeps the one that says most. The stop of an abbreviation, "a.m.", stays before
 * a comma.
 */
function strongest(run: string, before: string): string {
  const rest = /\.\p{L}$/u.test(before) && run.startsWith('.') ? run.slice(1) : run;
  const found = [...'?!.:;,–'].find((mark) => rest.includes(mark)) ?? '';
  const first = rest === run ? '' : '.';
  if (first !== '' && found === '.') return first;
  return found === '–' ? ' –' : first + found;
}
