import { describe, expect, test } from 'vitest';
import { dueWords, repeatWords, whenWords } from '../../../console/src/parts/timer-words.ts';

const zone = 'Europe/Berlin';
/** A Thursday, 9 PM in Berlin. */
const now = Date.parse('2026-11-26T20:00:00Z');
const minute = 60_000;
const once = { pausedMs: null, repeats: null };
/** Some locales separate the hour and "AM" by a narrow space. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('the time of a timer', () => {
  test.each([
    ['counts down below one hour', { ...once, dueAtMs: now + 59 * minute }, '59:00'],
    ['is a time of day from one hour on', { ...once, dueAtMs: now + 60 * minute }, '10:00 PM'],
    [
      'has the weekday if it is not today',
      { ...once, dueAtMs: Date.parse('2026-11-30T07:00:00Z') },
      'Mon 8:00 AM',
    ],
    [
      'has the date if it is far ahead',
      { ...once, dueAtMs: Date.parse('2026-12-24T17:30:00Z') },
      'Dec 24 6:30 PM',
    ],
    [
      'is the nearest minute, because it is known only by how long the timer still runs',
      { ...once, dueAtMs: Date.parse('2026-11-26T22:59:59.800Z') },
      'Fri 12:00 AM',
    ],
    ['is what is left while it is paused', { ...once, dueAtMs: now, pausedMs: 90 * minute }, '1:30:00'],
    [
      'says how it repeats',
      { ...once, dueAtMs: now + minute, repeats: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
      '9:01 PM, weekdays',
    ],
  ])('%s', (_title, timer, words) => {
    expect(plain(whenWords(timer, now, zone))).toBe(words);
  });

  test('is the nearest minute also if it repeats', () => {
    const dueAtMs = Date.parse('2026-11-27T05:59:59.900Z');

    expect(plain(whenWords({ ...once, dueAtMs, repeats: 'FREQ=DAILY' }, now, zone))).toBe(
      '7:00 AM, every day',
    );
  });

  test('is shown in the time zone of the household', () => {
    const dueAtMs = Date.parse('2026-11-27T06:00:00Z');
    const told = ['Europe/Berlin', 'America/New_York'].map((each) => plain(dueWords(dueAtMs, now, each)));

    expect(told).toEqual(['Fri 7:00 AM', 'Fri 1:00 AM']);
  });
});

describe('a repetition in words', () => {
  test.each([
    ['FREQ=DAILY', 'every day'],
    ['FREQ=DAILY;INTERVAL=2', 'every 2 days'],
    ['FREQ=WEEKLY;BYDAY=MO', 'Mondays'],
    ['FREQ=WEEKLY;BYDAY=SA,SU', 'weekends'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'weekdays'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR', 'Mon, Wed, Fri'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'Tuesdays, every 2 weeks'],
    ['FREQ=MONTHLY;BYMONTHDAY=1', 'every month'],
    ['FREQ=DAILY;UNTIL=20261127T235959Z', 'every day until Nov 27'],
    ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20270104T235959Z', 'Mondays until Jan 4'],
  ])('%s is %s', (rule, words) => {
    expect(repeatWords(rule)).toBe(words);
  });
});
