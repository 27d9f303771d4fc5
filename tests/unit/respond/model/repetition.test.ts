import { describe, expect, test } from 'vitest';
import { isStuck, isStuckData } from '../../../../api/src/respond/model/repetition.ts';

describe('isStuck', () => {
  test.each([
    'Boil it. You can use a pan. You can use a pan. You can use a pan.',
    'der Fraulichen, der Fraulichen, der Fraulichen, ',
    `One. ${'I am a voice assistant in a home. '.repeat(3)}`,
  ])('detects that %j repeats itself', (text) => {
    expect(isStuck(text)).toBe(true);
  });

  test.each([
    '',
    'ha ha ha',
    'You can use a pan. You can use a pan.',
    'One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen.',
    'Row, row, row your boat, gently down the stream. Merrily, merrily, merrily, merrily, life is but a dream.',
  ])('accepts %j', (text) => {
    expect(isStuck(text)).toBe(false);
  });
});

describe('isStuckData', () => {
  const step = '{"explanation": "24 November", "output": "24 November"}, ';

  test.each([
    ['a list that does not end', `{"steps": [${step.repeat(6)}`, true],
    ['a few of the same', `{"steps": [${step.repeat(4)}`, false],
    ['a row of noughts', `[${'0, '.repeat(40)}`, false],
  ])('of %s', (_what, text, isOne) => {
    expect(isStuckData(text)).toBe(isOne);
  });
});
