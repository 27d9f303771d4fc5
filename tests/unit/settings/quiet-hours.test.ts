import { describe, expect, test } from 'vitest';
import { createQuietHours } from '../../../api/src/settings/quiet-hours.ts';

const isQuietAt = (time: string, from: string | null, to: string | null, timeZone = 'UTC') =>
  createQuietHours({
    timeZone,
    settings: () => ({ quiet_from: from, quiet_to: to }),
    now: () => Date.parse(`2026-11-21T${time}:00Z`),
  })();

describe('quiet hours', () => {
  test.each([
    ['21:59', false],
    ['22:00', true],
    ['23:59', true],
    ['00:00', true],
    ['06:59', true],
    ['07:00', false],
    ['12:00', false],
  ])('over midnight: at %s %s', (time, expected) => {
    expect(isQuietAt(time, '22:00', '07:00')).toBe(expected);
  });

  test.each([
    ['12:59', false],
    ['13:00', true],
    ['14:59', true],
    ['15:00', false],
  ])('at midday: at %s %s', (time, expected) => {
    expect(isQuietAt(time, '13:00', '15:00')).toBe(expected);
  });

  test.each([
    [null, null],
    ['22:00', null],
    [null, '07:00'],
    ['22:00', '22:00'],
  ])('do not exist from %s to %s', (from, to) => {
    expect(isQuietAt('22:00', from, to)).toBe(false);
  });

  test("use the household's time zone, not UTC", () => {
    expect(isQuietAt('21:30', '22:00', '07:00', 'Europe/Berlin')).toBe(true);
    expect(isQuietAt('06:30', '22:00', '07:00', 'Europe/Berlin')).toBe(false);
  });
});
