import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHouseholdWakeWords } from '../../../api/src/wake/household-wake-words.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wake-words-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function open() {
  const refused: string[] = [];
  let nowMs = 0;
  const wakeWords = createHouseholdWakeWords({
    folders: ['/nonexistent', folder],
    onRefused: (file, reason) => refused.push(`${file}: ${reason}`),
    nowMs: () => nowMs,
  });
  return {
    refused,
    now: wakeWords.now,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a missing folder contains no words', () => {
  const { now, refused } = open();

  expect(now()).toEqual({ words: [], refused: [] });
  expect(refused).toEqual([]);
});

test('an unusable word is reported with its reason, once', () => {
  const { now, refused, pass } = open();
  writeFileSync(join(folder, 'casa.tflite'), 'no model');

  const before = now();
  pass(10_000);
  writeFileSync(join(folder, 'other.json'), 'no manifest');
  const after = now();

  expect(before.refused.map(({ file }) => file)).toEqual(['casa.tflite']);
  expect(after.refused.map(({ file }) => file)).toEqual(['other.json', 'casa.tflite']);
  expect(refused).toEqual([
    'casa.tflite: no .json describes it, such as casa.json',
    'other.json: it is not JSON',
  ]);
});

test('the folders are checked at most every ten seconds, and read after a change', () => {
  const { now, pass } = open();
  const first = now();
  writeFileSync(join(folder, 'casa.tflite'), 'no model');

  pass(9_999);
  const tooSoon = now();
  pass(1);
  const inTime = now();
  pass(10_000);
  const unchanged = now();

  expect(tooSoon).toBe(first);
  expect(inTime.refused).toHaveLength(1);
  expect(unchanged).toBe(inTime);
});
