import { expect, test } from 'vitest';
import { english } from '../../../api/src/language/en/english.ts';
import { createJudgeName } from '../../../api/src/language/judge-name.ts';

const judge = createJudgeName({
  calls: ['hey', 'okay', 'ok'],
  soundsOf: english.soundsOf,
  isRequest: (text) => text === 'stop now',
});

test('a name that is heard as written needs no spelling', () => {
  const heard = ['Computer.', 'Computer', 'Hey, Computer!', 'computer', 'Come here.'];

  expect(judge({ name: 'Computer', heard })).toEqual({ judgement: 'known', found: 4, spellings: [] });
});

test('a name that is always heard with the same other spelling is learned', () => {
  const heard = ['Zarbel.', 'Sorry, Bell.', 'Zarbell', 'Zarbel.', 'Zar Bell.'];

  const { judgement, spellings } = judge({ name: 'Xanthippe', heard });

  expect(judgement).toBe('learned');
  expect(spellings).toEqual(expect.arrayContaining(['zarbel', 'zarbell']));
});

test.each([
  ['each time something else', ['Heart.', 'Horace.', 'Her.', 'Had it.', 'Huh?']],
  ['nothing', ['', '', '', '', '']],
  ['too little to be told from other words', ['Huh.', 'Huh.', 'Huh.', 'Huh.', 'Huh.']],
  ['what means something by itself', ['Stop now.', 'Stop now.', 'Stop now.', 'Stop now.', 'Stop now.']],
  ['whole sentences', Array.from({ length: 5 }, () => 'I think that it was over there.')],
])('a name heard as %s is not learned', (_what, heard) => {
  expect(judge({ name: 'Xanthippe', heard })).toEqual({ judgement: 'unsteady', found: 0, spellings: [] });
});
