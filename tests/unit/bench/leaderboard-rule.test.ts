import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { passes, type Stands } from '../../../bench/home-llm/leaderboard-rule.ts';
import { furnished, readTestSet } from '../../../bench/home-llm/test-set.ts';

const before: Stands = {
  'light.lamp': { state: 'off', attributes: { brightness: null } },
  'cover.blind': { state: 'open', attributes: { is_closed: false } },
};
const lit: Stands = { ...before, 'light.lamp': { state: 'on', attributes: { brightness: 255 } } };
const shut: Stands = { ...before, 'cover.blind': { state: 'closed', attributes: { is_closed: true } } };
const test1 = { sentences: [], setup: {} };
const turnOn = { ...test1, expect_changes: { 'light.lamp': { state: 'on' } } };

describe('a command passes', () => {
  test.each([
    ['with the expected change and nothing else', turnOn, lit, 'Done.', false],
    [
      'if a change besides is to be ignored',
      { ...turnOn, ignore_changes: { 'light.lamp': ['brightness'] } },
      lit,
      'Done.',
      true,
    ],
    [
      'not if it says sorry',
      { ...turnOn, ignore_changes: { 'light.lamp': { brightness: 1 } } },
      lit,
      'Sorry.',
      false,
    ],
    [
      'whatever follows from the state',
      { ...test1, expect_changes: { 'cover.blind': { state: 'closed' } } },
      shut,
      'Done.',
      true,
    ],
    ['not if nothing changes', turnOn, before, 'Done.', false],
  ])('%s', (_how, given, after, reply, isRight) => {
    expect(passes(given, { before, after, reply })).toBe(isRight);
  });
});

test('a question passes with one of the texts in its answer', () => {
  const asked = { ...test1, expect_response: ['yes', '15'] };

  expect(passes(asked, { before, after: before, reply: 'It is 15%.' })).toBe(true);
  expect(passes(asked, { before, after: before, reply: 'No.' })).toBe(false);
});

test('a test without an expectation does not count', () => {
  expect(passes({ ...test1, expect_changes: {} }, { before, after: lit, reply: '' })).toBeNull();
});

test('a home is set up for a test, and its calendar is moved to today', () => {
  const home = { areas: [], devices: [], entities: [{ id: 'calendar.home', attributes: { a: 1 } }] };
  const event = { start: '2025-04-02T12:00:00+00:00', end: '2025-04-03' };
  const setup = { 'calendar.home': { attributes: { events: [event] } } };

  expect(furnished(home, { ...test1, setup, context_now: '2025-04-02T08:30:00' }, '2026-11-27')).toEqual({
    ...home,
    entities: [
      {
        id: 'calendar.home',
        attributes: { a: 1, events: [{ start: '2026-11-27T12:00:00', end: '2026-11-28' }] },
      },
    ],
  });
});

test('a number is an expected answer, as the published questions have it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-set-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'data'));
  const asked = { sentences: ['How warm is it?'], expect_response: [30, 'thirty'] };
  const record = { id: 'weather', home: 'one', category: 'weather', tests: [asked] };
  const set = { homes: { one: { areas: [], devices: [], entities: [] } }, records: [record] };
  writeFileSync(join(folder, 'data', 'questions.json'), JSON.stringify(set));

  const [read] = readTestSet(folder, 'questions').records;

  expect(read?.tests[0]?.expect_response).toEqual(['30', 'thirty']);
});
