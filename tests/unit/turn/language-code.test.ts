import { expect, test } from 'vitest';
import { languageCodeOf } from '../../../api/src/turn/language-code.ts';

test.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['eng', 'en'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['en_US', 'en'],
  ['zh-Hans-CN', 'zh'],
  ['zh-CN', 'zh'],
  ['pt-BR', 'pt'],
  ['yue', 'yue'],
  ['tl', 'tl'],
  ['fil-PH', 'tl'],
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['nb-NO', 'no'],
  ['nn', 'nn'],
  ['en_US.UTF-8', 'en'],
  ['de_DE@euro', 'de'],
  ['jp', 'ja'],
  ['cn', 'zh'],
  ['cz', 'cs'],
  ['kr', 'ko'],
  ['en-x-hearth', 'en'],
  ['und', 'auto'],
  ['Brazilian Portuguese', 'pt'],
  ['American English', 'en'],
  ['Castellano', 'es'],
  ['English', 'en'],
  ['german', 'de'],
  ['Deutsch', 'de'],
  ['Chinese (Simplified)', 'zh'],
  ['日本語', 'ja'],
  ['Romanian', 'ro'],
  ['Yiddish', 'yi'],
  ['tgl', 'tl'],
  ['jv', 'jw'],
  ['Mandarin', 'zh'],
  ['Cantonese', 'yue'],
  ['Flemish', 'nl'],
  ['francais', 'fr'],
  ['auto', 'auto'],
  ['', 'auto'],
])('%j is %s', (named, code) => {
  expect(languageCodeOf(named)).toBe(code);
});

test.each(['the usual one', 'xx', 'qqq', 'en;drop', '42', 'e', '-', 'english please'])(
  '%j is not a language',
  (named) => {
    expect(languageCodeOf(named)).toBeNull();
  },
);
