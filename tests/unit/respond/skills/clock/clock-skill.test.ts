import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { easterOf, feastIn } from '../../../../../api/src/language/calendar/day.ts';
import { isTimeZone } from '../../../../../api/src/language/calendar/time-zones.ts';
import { answered, englishSkills } from '../../../../support/skills.ts';

const { responder } = englishSkills(new Redis({ lazyConnect: true }));
const at = (time: string, text: string) => answered(responder, text, { createdAt: Date.parse(time) });

describe('the clock', () => {
  test.each([
    ['2026-11-21T00:00:00Z', 'It is midnight.'],
    ['2026-11-21T00:05:00Z', 'It is 12:05 AM.'],
    ['2026-11-21T09:00:59Z', 'It is 9 AM.'],
    ['2026-11-21T12:00:00Z', 'It is noon.'],
    ['2026-11-21T12:01:00Z', 'It is 12:01 PM.'],
    ['2026-11-21T23:59:59Z', 'It is 11:59 PM.'],
    // Summer time.
    ['2026-07-01T12:00:00Z', 'It is 1 PM.'],
    ['2026-03-29T00:59:00Z', 'It is 12:59 AM.'],
    ['2026-03-29T01:00:00Z', 'It is 2 AM.'],
  ])('at %s says: %s', async (time, expected) => {
    expect(await at(time, 'what time is it')).toBe(expected);
  });

  test.each([
    ['what time is it in Auckland', 'It is 1 AM on Wednesday in Auckland.'],
    ['what time is it in san francisco', 'It is 4 AM in San Francisco.'],
    ['what time is it in Nepal', 'It is 5:45 PM in Nepal.'],
    ['what time is it in Narnia', null],
    ["what's the time in anchorage timezone", 'It is 3 AM in Anchorage.'],
    ['convert new york time to london', 'It is 5 hours later in London than in New York.'],
    ['which time zone are we in', 'We are on United Kingdom Time.'],
    ['what is the time in the usa', 'There is more than one time zone there. Say a town.'],
    ['what timezone is russia in', 'There is more than one time zone there. Say a town.'],
    ['mention the time in canada now', 'There is more than one time zone there. Say a town.'],
    ['what is the date in auckland', 'In Auckland it is Wednesday, the 2nd of December.'],
    ['date in new york', 'In New York it is Tuesday, the 1st of December.'],
    ['what time is it in the kitchen', null],
  ])('elsewhere: %s', async (text, expected) => {
    expect(await at('2026-12-01T12:00:00Z', text)).toBe(expected);
  });

  test('knows the zone of every place in the language file', () => {
    expect(isTimeZone('Europe/Kyiv')).toBe(true);
    expect(isTimeZone('Europe/Narnia')).toBe(false);
  });
});

describe('the calendar', () => {
  test.each([
    ['2026-12-25T10:00:00Z', 'how many days until Christmas', 'That is today.'],
    ['2026-11-21T10:00:00Z', 'how many days are left in the year', 'It is 40 days until the end of 2026.'],
    ['2026-12-30T10:00:00Z', 'how many days left this year', 'It is one day until the end of 2026.'],
    ['2026-11-21T10:00:00Z', 'is 2028 a leap year', 'Yes, 2028 has 366 days.'],
    ['2026-11-21T10:00:00Z', 'was the year nineteen hundred a leap year', 'No, 1900 has 365 days.'],
    ['2026-11-21T10:00:00Z', 'is twenty twenty-eight a leap year', 'Yes, 2028 has 366 days.'],
    ['2026-11-21T10:00:00Z', 'is this a leap year', 'No, 2026 has 365 days.'],
    ['2026-11-21T10:00:00Z', 'when is Black Friday', 'Black Friday is Friday, the 27th of November.'],
    [
      '2026-11-21T10:00:00Z',
      'how many days between March 3 and April 10',
      'From Wednesday, the 3rd of March 2027 to Saturday, the 10th of April 2027: 38 days.',
    ],
    [
      '2026-12-28T10:00:00Z',
      'how many weeks are there between Christmas and New Year',
      'From Saturday, the 25th of December 2027 to Saturday, the 1st of January 2028: one week.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'how long from Friday to tomorrow',
      'From Sunday, the 22nd of November to Friday, the 27th of November: 5 days.',
    ],
    ['2026-11-21T10:00:00Z', 'is it Friday yet', 'No, it is Saturday, the 21st of November.'],
    ['2026-11-21T10:00:00Z', 'is it the weekend yet', 'Yes, it is Saturday, the 21st of November.'],
    ['2026-11-21T10:00:00Z', 'what week is it', 'It is week 47, by the international standard.'],
    ['2027-01-03T10:00:00Z', 'what week number is it', 'It is week 53, by the international standard.'],
    ['2026-12-26T10:00:00Z', 'how many days until Christmas', 'It is 364 days until Christmas.'],
    ['2026-12-24T10:00:00Z', 'how many days until Christmas', 'It is one day until Christmas.'],
    ['2026-12-31T23:59:00Z', 'what day is tomorrow', 'Tomorrow is Friday, the 1st of January 2027.'],
    ['2027-02-28T10:00:00Z', 'what day is tomorrow', 'Tomorrow is Monday, the 1st of March.'],
    ['2028-02-28T10:00:00Z', 'what day is tomorrow', 'Tomorrow is Tuesday, the 29th of February.'],
    ['2026-11-21T10:00:00Z', 'when is february 29th', 'It is Tuesday, the 29th of February 2028.'],
    ['2026-11-21T10:00:00Z', 'how many days until saturday', 'It is 7 days until Saturday.'],
    ['2026-11-21T10:00:00Z', 'what day is the 31st of april', null],
    [
      '2026-11-21T10:00:00Z',
      'what date is the third friday of this month',
      'The third Friday of this month was Friday, the 20th of November.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'i want the date of last monday of this month',
      'Last Monday of this month is Monday, the 30th of November.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'when is the first sunday of next month',
      'The first Sunday of next month is Sunday, the 6th of December.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'what day is the last thursday in october',
      'The last Thursday in October is Thursday, the 28th of October 2027.',
    ],
    ['2026-11-21T10:00:00Z', 'when is the fifth friday of this month', null],
    [
      '2026-11-21T10:00:00Z',
      'when is the fifth friday of january',
      'The fifth Friday of January is Friday, the 29th of January 2027.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'what day is memorial day this year',
      'Memorial Day was Monday, the 25th of May.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'is the twenty third of april a saturday',
      'No, the twenty third of April is Friday, the 23rd of April 2027.',
    ],
    ['2026-11-21T10:00:00Z', 'is christmas on a friday', 'Yes, Christmas is Friday, the 25th of December.'],
    ['2026-11-21T10:00:00Z', 'what day was the 29th of february 2027', null],
    [
      '2026-11-21T10:00:00Z',
      'what day was the 9th of november 1989',
      'It was Thursday, the 9th of November 1989.',
    ],
    [
      '2026-11-21T10:00:00Z',
      'what day is the first of may twenty thirty',
      'The first of May twenty thirty is Wednesday, the 1st of May 2030.',
    ],
    ['2026-11-21T10:00:00Z', 'how many days until january 1 2026', 'January 1 2026 was 324 days ago.'],
    ['2026-11-21T10:00:00Z', 'how many weeks until december 5', 'It is 2 weeks until December 5.'],
    ['2026-11-21T10:00:00Z', 'how many weeks until tuesday', 'It is 3 days until Tuesday.'],
    // The household's day, not that of UTC: in summer it is an hour ahead.
    ['2026-07-14T23:30:00Z', 'what day is it', 'It is Wednesday, the 15th of July.'],
  ])('at %s, %s', async (time, text, expected) => {
    expect(await at(time, text)).toBe(expected);
  });

  test.each([
    [2024, 3, 31],
    [2025, 4, 20],
    [2026, 4, 5],
    [2027, 3, 28],
    [2038, 4, 25],
    [2285, 3, 22],
  ])('knows Easter of %i', (year, month, day) => {
    expect(easterOf(year)).toEqual({ year, month, day });
  });

  test.each([
    [2026, '11/4/4', { year: 2026, month: 11, day: 26 }],
    [2027, '11/4/4', { year: 2027, month: 11, day: 25 }],
    [2026, '11/4/4+1', { year: 2026, month: 11, day: 27 }],
    [2026, 'easter-2', { year: 2026, month: 4, day: 3 }],
    [2026, '12-24', { year: 2026, month: 12, day: 24 }],
  ])('finds the holiday of %i: %s', (year, feast, day) => {
    expect(feastIn(year, feast)).toEqual(day);
  });
});
