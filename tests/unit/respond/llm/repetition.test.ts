import { describe, expect, test } from 'vitest';
import { isStuck } from '../../../../api/src/respond/llm/repetition.ts';

describe('isStuck', () => {
  test.each([
    'Boil it. You can use a pan. You can use a pan. You can use a pan.',
    'der Fraulichen, der Fraulichen, der Fraulichen, ',
    `One. ${'I am a voice assistant in a home. '.repeat(3)}`,
  ])('sees that %j goes round in circles', (text) => {
    expect(isStuck(text)).toBe(true);
  });

  test.each([
    '',
    'ha ha ha',
    'You can use a pan. You can use a pan.',
    'One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen.',
    'Row, row, row your boat, gently down the stream. Merrily, merrily, merrily, merrily, life is but a dream.',
  ])('lets %j go on', (text) => {
    expect(isStuck(text)).toBe(false);
  });
});
