import { describe, expect, test } from 'vitest';
import {
  announcedWords,
  momentOf,
  momentWords,
  ringTitle,
  ringWords,
  wallWords,
} from '../../../console/src/parts/words.ts';

describe("the page's text for a ringing timer", () => {
  test.each([
    ['timer', 'pasta', 'The timer “pasta” is over'],
    ['timer', null, 'A timer is over'],
    ['alarm', 'school', 'The alarm “school” is ringing'],
    ['alarm', null, 'An alarm is ringing'],
    ['reminder', 'take out the bins', 'Reminder: take out the bins'],
    ['reminder', null, 'A reminder'],
  ] as const)('names a %s called %s', (kind, label, words) => {
    expect(ringWords({ kind, label })).toBe(words);
  });

  test('is short in the title for any number of timers', () => {
    const pasta = { kind: 'timer', label: 'pasta' } as const;
    const titles = [[], [pasta], [pasta, pasta]].map((rings) => ringTitle(rings));

    expect(titles).toEqual([null, 'The timer “pasta” is over', '2 are ringing']);
  });
});

test('the page shows where an announcement was played, and where not', () => {
  const satellites = [
    { room: 'kitchen', state: 'playing' },
    { room: 'kitchen', state: 'playing' },
    { room: null, state: 'playing' },
    { room: 'bath', state: 'waiting' },
    { room: 'attic', state: 'failed' },
  ] as const;

  expect(announcedWords({ satellites: [...satellites], missing: ['garden'] })).toBe(
    'Announced in kitchen, a satellite without a room. Someone is talking, so it follows in a moment in bath. The announcement failed in attic. There is no satellite in garden.',
  );
});

test('a moment is shown in the time zone of the household, with the date unless it is today there', () => {
  const ms = Date.parse('2026-11-27T23:30:00Z');
  const told = (timeZone: string, now: string) => momentWords(ms, { timeZone, now: new Date(now) });

  expect(told('Europe/Berlin', '2026-11-28T10:00:00Z')).toBe('12:30 AM');
  expect(told('UTC', '2026-11-28T10:00:00Z')).toBe('Nov 27, 11:30 PM');
  expect(told('Asia/Tokyo', '2026-11-28T10:00:00Z')).toBe('8:30 AM');
  expect(momentWords(Number.NaN)).toBe('');
});

describe('the moment of a local time', () => {
  test.each([
    ['2026-11-27T07:00', 'Europe/Berlin', '2026-11-27T06:00:00.000Z'],
    ['2026-07-01T07:00', 'Europe/Berlin', '2026-07-01T05:00:00.000Z'],
    ['2026-11-27T00:00', 'America/Los_Angeles', '2026-11-27T08:00:00.000Z'],
    // The clocks changed that night.
    ['2026-03-29T12:00', 'Europe/Berlin', '2026-03-29T10:00:00.000Z'],
    ['2026-10-25T00:30', 'Europe/Berlin', '2026-10-24T22:30:00.000Z'],
  ])('%s in %s is %s', (wall, timeZone, moment) => {
    expect(momentOf(wall, timeZone).toISOString()).toBe(moment);
    expect(wallWords(Date.parse(moment), timeZone)).toBe(`${wall.replace('T', ' ')}:00`);
  });
});
