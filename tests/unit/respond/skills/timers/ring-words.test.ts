import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../../../api/src/language/language.ts';
import { createRingWords } from '../../../../../api/src/respond/skills/timers/ring-words.ts';
import { minuteMs, now, timer } from '../../../../support/timers.ts';

const { phrases, rules } = loadLanguage({
  folder: new URL('../../../../../api/languages/en/', import.meta.url),
});
const words = createRingWords(phrases.timers, rules);
const hourMs = 60 * minuteMs;
const ringing = { state: 'ringing', ringingAt: now, heardAt: null } as const;

describe('the words for a timer', () => {
  test.each([
    ['in time', {}, 2_000, 'Your pasta timer is done.'],
    ['without a name', { label: null }, 0, 'Your timer is done.'],
    ['an alarm', { kind: 'alarm', label: null }, 0, 'This is your alarm.'],
    [
      'a reminder',
      { kind: 'reminder', label: 'take out the bins' },
      0,
      'This is your reminder: take out the bins.',
    ],
    ['while nobody was there', {}, 5 * minuteMs, 'Your pasta timer ended 5 minutes ago.'],
    ['a minute later', {}, minuteMs, 'Your pasta timer ended a minute ago.'],
    [
      'after the house was off',
      { ringingAt: now + 20 * minuteMs },
      20 * minuteMs,
      'Your pasta timer ended 20 minutes ago, while I was off.',
    ],
    [
      'an alarm after the house was off',
      { kind: 'alarm', label: null, ringingAt: now + 3 * hourMs },
      3 * hourMs,
      'Your alarm was due 3 hours ago, while I was off.',
    ],
    [
      'an alarm that a step of the clock has skipped',
      {
        kind: 'alarm',
        label: null,
        ringingAt: now + 72 * hourMs,
        counts: { by: 'length', era: '', shiftMs: 72 * hourMs, steppedMs: 71.9 * hourMs },
      },
      72 * hourMs,
      'Your alarm was due 3 days ago, but the clock has just been set forward.',
    ],
    [
      'after the house was off, and the clock was set a little',
      {
        ringingAt: now + 20 * minuteMs,
        counts: { by: 'length', era: '', shiftMs: 0, steppedMs: 10_000 },
      },
      20 * minuteMs,
      'Your pasta timer ended 20 minutes ago, while I was off.',
    ],
    [
      'that was missed',
      { state: 'missed' },
      90 * minuteMs,
      'You missed your pasta timer. It ended 2 hours ago.',
    ],
    [
      'that was missed yesterday',
      { state: 'missed' },
      26 * hourMs,
      'You missed your pasta timer. It ended a day ago.',
    ],
    ['just under an hour late', {}, 59.4 * minuteMs, 'Your pasta timer ended 59 minutes ago.'],
    ['just over it', {}, 59.6 * minuteMs, 'Your pasta timer ended an hour ago.'],
    ['a label that looks like a place to fill in', { label: '{ago}' }, 0, 'Your {ago} timer is done.'],
  ] as const)('%s', (_title, more, lateMs, said) => {
    expect(words(timer({ ...ringing, ...more }), now + lateMs)).toBe(said);
  });
});
