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

/** In odd texts, one rule may leave something for another to find. The second pass nearly always changes nothing. */
const maxPasses = 6;

/**
 * Makes the words that a voice says of a text, which are also what people read: no marks, links and emoji; units, signs and abbreviations in
 * full. Empty where there is nothing to say. What it has made, it leaves as it is.
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
    // "5 min." is a unit before it is an abbreviation.
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

/** All but letters, digits and the marks of plain sentences in any script. */
const unsaid = /[^\p{L}\p{M}\p{N}.,;:!?¿¡。、！？，：；「」『』؟،।'’"“”‘–—… -]/gu;
const marks = '[.,;:!?–]';
const runOfMarks = new RegExp(`(?:\\s?${marks}){2,}|\\s[.,;:!?]`, 'gu');

/** Nothing but words and the marks of plain sentences, each where it belongs. */
function tidy(text: string): string {
  const words = text
    // "(a) cost" in a row of such.
    .replace(/(?<!\S)\((\p{Ll})\)(?= )/gu, '$1,')
    // Options of a program, "--fast".
    .replace(/(?<= )--?(?=\p{L})/gu, '')
    .replace(/(?<=[\p{L}\p{N}]) \(/gu, ', ')
    .replace(/\)(?= [\p{L}\p{N}])/gu, ',')
    .replace(unsaid, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?(?:[—–]|--+) ?|(?<= )-(?= )/g, ' – ')
    .replace(/(?<![\p{L}\p{N}])-+|-+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?(?:…|\.{2,})\.*(?=( ?)(\S?))/gu, (_, gap: string, next: string) => {
      const isOver = next === '' || /[\p{Lu}"“‘]/u.test(next);
      return `${isOver ? '.' : ','}${gap === '' && next !== '' ? ' ' : ''}`;
    })
    .replace(runOfMarks, (run, at: number, whole: string) =>
      strongest(run, whole.slice(Math.max(0, at - 2), at)),
    )
    .replace(/ {2,}/g, ' ')
    .replace(/^[^\p{L}\p{N}"“'‘]+/u, '')
    .trim()
    .replace(/ ?–$/, ',')
    .normalize('NFC');
  return /[\p{L}\p{N}]/u.test(words) ? words : '';
}

/** Of several marks in a row the one that says most. The stop of an abbreviation, "a.m.", stays before a comma. */
function strongest(run: string, before: string): string {
  const rest = /\.\p{L}$/u.test(before) && run.startsWith('.') ? run.slice(1) : run;
  const found = [...'?!.:;,–'].find((mark) => rest.includes(mark)) ?? '';
  const first = rest === run ? '' : '.';
  if (first !== '' && found === '.') return first;
  return found === '–' ? ' –' : first + found;
}
