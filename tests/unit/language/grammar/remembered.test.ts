import { expect, test } from 'vitest';
import { rememberedTexts } from '../../../../api/src/language/grammar/remembered.ts';

test('reads a text that is asked again once, and the least recent one anew', () => {
  const read: string[] = [];
  const length = rememberedTexts((text) => read.push(text) && text.length, 2);

  const results = ['on', 'off', 'on', 'dim', 'on', 'off'].map(length);

  expect(results).toEqual([2, 3, 2, 3, 2, 3]);
  expect(read).toEqual(['on', 'off', 'dim', 'off']);
});

test('remembers that a text has no meaning', () => {
  let asked = 0;
  const meaning = rememberedTexts(() => {
    asked += 1;
    return null;
  }, 1);

  expect([meaning('hm'), meaning('hm')]).toEqual([null, null]);
  expect(asked).toBe(1);
});
