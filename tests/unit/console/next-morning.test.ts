import { expect, test } from 'vitest';
import { nextMorning } from '../../../console/src/views/home/next-morning.ts';

const at = (now: string, timeZone: string) => new Date(nextMorning(Date.parse(now), timeZone)).toISOString();

test.each([
  ['in the evening', '2026-11-30T20:10:00Z', 'Europe/Berlin', '2026-12-01T06:00:00.000Z'],
  ['after midnight', '2026-11-30T23:30:00Z', 'Europe/Berlin', '2026-12-01T06:00:00.000Z'],
  ['at seven itself', '2026-11-30T06:00:00Z', 'Europe/Berlin', '2026-12-01T06:00:00.000Z'],
  ['in the night when clocks go back', '2026-10-24T20:00:00Z', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
  [
    'in the night when clocks go forward',
    '2026-03-28T20:00:00Z',
    'Europe/Berlin',
    '2026-03-29T05:00:00.000Z',
  ],
  [
    'where clocks differ by a quarter of an hour',
    '2026-11-30T12:00:00Z',
    'Asia/Kathmandu',
    '2026-12-01T01:15:00.000Z',
  ],
])('the next morning is found %s', (_, now, timeZone, morning) => {
  expect(at(now, timeZone)).toBe(morning);
});
