import { expect, test } from 'vitest';
import { createWordReader } from '../../../../../api/src/language/grammar/words.ts';
import { createWeekdayReader } from '../../../../../api/src/respond/skills/timers/weekday-reader.ts';

const words = createWordReader({ spellings: {}, fillers: [], abbreviations: [] });
const { daysAt, rangeAt, isOneOrSeveral } = createWeekdayReader({
  and_days: ['and'],
  from_days: ['from'],
  to_days: ['to', 'through'],
  week: {
    MO: ['monday', 'mondays'],
    TU: ['tuesday', 'tuesdays'],
    WE: ['wednesday', 'wednesdays'],
    TH: ['thursday', 'thursdays'],
    FR: ['friday', 'fridays'],
    SA: ['saturday', 'saturdays'],
    SU: ['sun', 'sun'],
  },
});
const days = (text: string, isSeveral = false) => daysAt(words(text), 0, isSeveral);
const range = (text: string) => rangeAt(words(text), 0);

test('days are read in the order of the week', () => {
  expect(days('Fridays, Mondays and Wednesdays at six')).toEqual({ value: 'MO,WE,FR', end: 4 });
  expect(days('six')).toBeNull();
});

test('a single day is none of several', () => {
  expect(days('monday', true)).toBeNull();
  expect(days('mondays', true)).toEqual({ value: 'MO', end: 1 });
});

test('a range goes on into the next week', () => {
  expect(range('from Monday to Thursday')).toEqual({ value: 'MO,TU,WE,TH', end: 4 });
  expect(range('Saturday through Tuesday')).toEqual({ value: 'MO,TU,SA,SU', end: 3 });
  expect(range('from Monday')).toBeNull();
});

test('one name may mean one day or several', () => {
  expect(words('sun monday').map(isOneOrSeveral)).toEqual([true, false]);
  expect(isOneOrSeveral(undefined)).toBe(false);
});
