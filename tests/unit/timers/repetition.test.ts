import { describe, expect, test } from 'vitest';
import { nextTime, repetitionFrom, ringsOn, without } from '../../../api/src/timers/repetition.ts';

const london = { timeZone: 'Europe/London', hour: 7, minute: 0 };
const dayMs = 24 * 3_600_000;

/** The next times, one after the other. */
function timesFrom(rule: string, start: string, { count = 3, hour = 7, minute = 0 } = {}): string[] {
  const repetition = repetitionFrom(rule, { ...london, hour, minute, after: Date.parse(start) });
  const times: string[] = [];
  for (let at: number | null = Date.parse(start); times.length < count; ) {
    at = nextTime(repetition, at);
    if (at === null) break;
    times.push(new Date(at).toISOString());
  }
  return times;
}

describe('a repetition', () => {
  test('stays at its time of day when the clocks change', () => {
    expect(timesFrom('FREQ=DAILY', '2027-03-26T12:00:00Z')).toEqual([
      '2027-03-27T07:00:00.000Z',
      '2027-03-28T06:00:00.000Z',
      '2027-03-29T06:00:00.000Z',
    ]);
    expect(timesFrom('FREQ=DAILY', '2026-10-24T00:00:00Z')).toEqual([
      '2026-10-24T06:00:00.000Z',
      '2026-10-25T07:00:00.000Z',
      '2026-10-26T07:00:00.000Z',
    ]);
  });

  test('comes later if its time of day is skipped, and once if it occurs twice', () => {
    expect(timesFrom('FREQ=DAILY', '2027-03-27T12:00:00Z', { hour: 1, minute: 30, count: 2 })).toEqual([
      '2027-03-28T01:30:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
    expect(timesFrom('FREQ=DAILY', '2026-10-24T12:00:00Z', { hour: 1, minute: 30, count: 2 })).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('comes on the last day of a month that is too short', () => {
    const rule = 'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1';
    expect(timesFrom(rule, '2027-01-15T12:00:00Z').map((time) => time.slice(0, 10))).toEqual([
      '2027-01-30',
      '2027-02-28',
      '2027-03-30',
    ]);
  });

  test('counts its intervals from the first time', () => {
    const rule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO';

    expect(timesFrom(rule, '2026-11-21T15:20:00Z')).toEqual([
      '2026-11-23T07:00:00.000Z',
      '2026-12-07T07:00:00.000Z',
      '2026-12-21T07:00:00.000Z',
    ]);
  });

  test('skips its exceptions', () => {
    const start = Date.parse('2026-11-21T15:20:00Z');
    const daily = repetitionFrom('FREQ=DAILY', { ...london, after: start });
    const sunday = Math.floor(Date.parse('2026-11-22T00:00:00Z') / dayMs);

    expect(ringsOn(daily, sunday)).toBe(true);
    expect(ringsOn(without(daily, sunday), sunday)).toBe(false);
    expect(nextTime(without(daily, sunday), start)).toBe(Date.parse('2026-11-23T07:00:00Z'));
  });
});
