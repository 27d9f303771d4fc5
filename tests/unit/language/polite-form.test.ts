import { expect, test } from 'vitest';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { joinedWords, textOf } from '../../../api/src/language/grammar/words.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';

const { grammar } = loadLanguage({ folder: new URL('../../../api/languages/de/', import.meta.url) });
const { readWords } = createGrammar(grammar);
const said = (text: string) => joinedWords(readWords(text));

test.each([
  ['Schalten Sie das Licht aus', 'schalte das licht aus'],
  ['schalten sie das licht aus', 'schalte das licht aus'],
  ['Bitte erinnern Sie mich um acht', 'bitte erinnere mich um acht'],
  ['Wechseln Sie den Sender', 'wechsle den sender'],
  ['Lesen Sie die Namen vor und nehmen Sie Platz', 'lies die namen vor und nimm platz'],
  ['Können Sie das Licht ausschalten?', 'kannst du das licht ausschalten'],
  ['Was können Sie?', 'was kannst du'],
  ['Wie heißen Sie?', 'wie heißt du'],
])('the polite form is read as the plain one: %s', (text, plain) => {
  expect(said(text)).toBe(plain);
});

test.each([
  'Sind sie schon da?',
  'Wo spielen sie heute?',
  'Danke, dass Sie mir helfen',
  'Wenn sie kommen, sag Bescheid',
])('other sentences stay: %s', (text) => {
  expect(readWords(text)).toHaveLength(text.split(' ').length);
  expect(said(text)).toContain('sie');
});

test('each word keeps its place in the text', () => {
  const text = 'Können Sie Milch auf die Liste setzen?';
  const words = readWords(text);

  expect(words.map((word) => textOf(text, [word]))).toEqual(text.slice(0, -1).split(' '));
});
