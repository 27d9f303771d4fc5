import { describe, expect, test } from 'vitest';
import { isSameClock } from '../../../console/src/parts/time-zone.ts';

const winter = Date.parse('2026-01-15T12:00:00Z');

describe('two time zones', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Paris', true],
    ['Etc/UTC', 'UTC', true],
    ['UTC', 'Europe/London', false], // the same time in winter only
    ['UTC', 'Europe/Berlin', false],
  ])('show the same time, %s and %s: %s', (one, other, isSame) => {
    expect(isSameClock(one, other, winter)).toBe(isSame);
  });
});
