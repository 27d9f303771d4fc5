import { expect, test } from 'vitest';
import { createFirstWordTimes } from '../../../api/src/engines/first-word-times.ts';

function after(...times: readonly number[]) {
  const firstWord = createFirstWordTimes();
  for (const ms of times) firstWord.note(ms);
  return firstWord;
}

test('knows nothing before the first answer', () => {
  expect(after().lateMs).toBeNull();
});

test('calls a first word late after three times the first one, and twice a steady one', () => {
  expect(after(200).lateMs).toBe(600);
  expect(after(...Array.from({ length: 50 }, () => 200)).lateMs).toBeCloseTo(400, 0);
});

test('gives a server of changing speed more time', () => {
  const changing = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 100 : 500));

  expect(after(...changing).lateMs).toBeGreaterThan(1_000);
});

test('does not mistake noise for a late word', () => {
  expect(after(...Array.from({ length: 50 }, () => 2)).lateMs).toBe(100);
});
