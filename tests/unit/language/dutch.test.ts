import { describe, expect, test } from 'vitest';
import type { Day } from '../../../api/src/language/calendar/day.ts';
import { languageReaders } from '../../support/language-readers.ts';

const { readWords, number, ordinal, time, minutes, dates, readRepeat } = languageReaders('nl');

test.each([
  ['nul', '0'],
  ['zeven', '7'],
  ['één', '1'],
  ['eenentwintig', '21'],
  ['tweeëntwintig', '22'],
  ['drieentwintig', '23'],
  ['zevenendertig', '37'],
  ['negenennegentig', '99'],
  ['honderd', '100'],
  ['honderdvijf', '105'],
  ['honderdeneen', '101'],
  ['tweehonderdvijftig', '250'],
  ['vijftienhonderd', '1500'],
  ['duizend', '1000'],
  ['tweeduizendzesentwintig', '2026'],
  ['honderdduizend', '100000'],
  ['twee miljoen', '2000000'],
  ['anderhalf', '1.5'],
  ['tweeënhalf', '2.5'],
  ['tweeëneenhalf', '2.5'],
  ['vijfenhalf', '5.5'],
  ['twee en een half', '2.5'],
  ['drie kwart', '0.75'],
  ['twee komma vijf', '2.5'],
  ['2,5', '2.5'],
  ['1.200', '1200'],
  ['min zeven', '-7'],
])('the number "%s" is read', (text, value) => {
  expect(number(text)).toBe(value);
});

test.each(['eentwintig', 'entwintig', 'twintigeen', 'honderdenen', 'huis', 'x'.repeat(500)])(
  'no number is read from "%.30s"',
  (text) => {
    expect(number(text)).toBeNull();
  },
);

test.each([
  ['eerste', 1],
  ['tweede', 2],
  ['derde', 3],
  ['achtste', 8],
  ['negentiende', 19],
  ['twintigste', 20],
  ['eenentwintigste', 21],
  ['24e', 24],
  ['1ste', 1],
  ['3de', 3],
])('the ordinal "%s" is read', (text, value) => {
  expect(ordinal(text)).toBe(value);
});

test.each([
  ['zeven', '7:00'],
  ['7 uur', '7:00'],
  ['7.30 uur', '7:30'],
  ['19.05 uur', '19:05 pm'],
  ['zeven uur dertig', '7:30'],
  ['19 uur 5', '19:05 pm'],
  ['7u30', '7:30'],
  ['19:30', '19:30 pm'],
  ['half zeven', '6:30'],
  ['half één', '12:30'],
  ['kwart over acht', '8:15'],
  ['kwart voor acht', '7:45'],
  ['vijf voor half drie', '2:25'],
  ['vijf minuten over half drie', '2:35'],
  ['tien over drie', '3:10'],
  ['tien voor twaalf', '11:50'],
  ["twaalf uur 's middags", '12:00 pm'],
  ["twaalf uur 's nachts", '24:00 pm'],
  ['zeven uur ’s ochtends', '7:00 am'],
  ["drie uur 's nachts", '3:00 am'],
  ["half acht 's avonds", '7:30 pm'],
  ['acht uur in de avond', '8:00 pm'],
  ['middernacht', '24:00 pm'],
])('the time of day "%s" is read', (text, value) => {
  expect(time(text)).toBe(value);
});

test.each([
  ['vijf minuten', 5],
  ['een uur', 60],
  ['een halfuur', 30],
  ['half uurtje', 30],
  ['kwartier', 15],
  ['een kwartiertje', 15],
  ['drie kwartier', 45],
  ['anderhalf uur', 90],
  ['tweeënhalf uur', 150],
  ['vijf en een half uur', 330],
  ['een uur en een kwartier', 75],
  ['twee uur en drie kwartier', 165],
  ['een uur en een half uur', 90],
  ['twee uren en een half uur', 150],
  ['5 uur en een halve minuut', 300.5],
  ['een uur en 15 minuten', 75],
  ['1 uur 20', 80],
  ['anderhalve minuut', 1.5],
  ['twee dagen', 2_880],
])('the length "%s" is read', (text, value) => {
  expect(minutes(text)).toBe(value);
});

test('two durations of the same unit are not a duration', () => {
  expect(minutes('een uur en twee uur')).toBeNull();
});

describe('a date', () => {
  /** A Saturday. */
  const today: Day = { year: 2026, month: 11, day: 21 };

  test.each([
    ['morgen', '2026-11-22'],
    ['overmorgen', '2026-11-23'],
    ['vrijdag', '2026-11-27'],
    ['volgende vrijdag', '2026-11-27'],
    ['24 december', '2026-12-24'],
    ['vierentwintig december', '2026-12-24'],
    ['24e december', '2026-12-24'],
    ['eerste januari', '2027-1-1'],
    ['5 januari 2028', '2028-1-5'],
    ['Kerstmis', '2026-12-25'],
    ['tweede kerstdag', '2026-12-26'],
    ['Koningsdag', '2027-4-27'],
    ['Sinterklaas', '2026-12-5'],
    ['tweede paasdag', '2027-3-29'],
    ['eerste maandag van volgende maand', '2026-12-7'],
  ])('is read from "%s"', (text, value) => {
    const words = readWords(text);
    const found = dates.read(words, 0);
    const day = found?.value(today);

    expect(found?.end).toBe(words.length);
    expect(`${day?.year}-${day?.month}-${day?.day}`).toBe(value);
  });
});

test.each([
  ['elke dag', 'FREQ=DAILY'],
  ['iedere dag', 'FREQ=DAILY'],
  ['om de dag', 'FREQ=DAILY;INTERVAL=2'],
  ['elke twee dagen', 'FREQ=DAILY;INTERVAL=2'],
  ['elke maandag', 'FREQ=WEEKLY;BYDAY=MO'],
  ['elke dinsdag en donderdag', 'FREQ=WEEKLY;BYDAY=TU,TH'],
  ['op zondagen', 'FREQ=WEEKLY;BYDAY=SU'],
  ['doordeweeks', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['elke werkdag', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['van maandag tot en met vrijdag', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['elk weekend', 'FREQ=WEEKLY;BYDAY=SA,SU'],
  ['de 5e van elke maand', 'FREQ=MONTHLY;BYMONTHDAY=5'],
])('reads how often "%s" is', (text, rule) => {
  const words = readWords(text);

  expect(readRepeat(words, 0)).toMatchObject({ value: { rule }, end: words.length });
});

test('reads the last part of a compound in its spelling', () => {
  expect(readWords('Het boodschappenlijstje').map(({ word, start, end }) => [word, start, end])).toEqual([
    ['het', 0, 3],
    ['boodschappen', 4, 16],
    ['lijst', 16, 23],
  ]);
});
