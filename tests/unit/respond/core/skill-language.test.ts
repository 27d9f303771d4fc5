import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill, noWords } from '../../../../api/src/respond/core/skill-language.ts';

const { files } = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const replies = {
  nothing: [],
  left: [],
  stopped: [],
  did_nothing: [],
  keeps_nothing: [],
  taken_back: ['what'],
  nothing_today: [],
  today: ['what'],
  today_last: ['what'],
  twice: ['what'],
  times: ['what', 'count'],
} as const;

test.each([
  [['undo', 'last'], 'has sentences for an intent that it has not'],
  [['undo', 'put_back', 'cancel', 'stop_it', 'last', 'today', 'redo'], 'has an intent without sentences'],
])('a skill of %j is not loaded, because it %s', (intents) => {
  const { sentencesOf } = loadSkill(files, 'undo', { replies, words: noWords });

  expect(() => sentencesOf(intents)).toThrow(/undo\.yaml: sentences/);
});

test('sentences keep the order of their file, because the first match wins', () => {
  const { sentencesOf } = loadSkill(files, 'undo', { replies, words: noWords });

  expect(Object.keys(sentencesOf(['today', 'last', 'stop_it', 'cancel', 'put_back', 'undo']))).toEqual([
    'undo',
    'put_back',
    'cancel',
    'stop_it',
    'last',
    'today',
  ]);
});
