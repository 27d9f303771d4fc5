import { describe, expect, test } from 'vitest';
import { languageReaders } from '../../support/language-readers.ts';

const german = languageReaders('de');

describe('a number', () => {
  test.each([
    ['null', '0'],
    ['sieben', '7'],
    ['einundzwanzig', '21'],
    ['siebenunddreißig', '37'],
    ['fuenfundfuenfzig', '55'],
    ['neunundneunzig', '99'],
    ['hundert', '100'],
    ['hundertfünf', '105'],
    ['zweihundertfünfzig', '250'],
    ['dreihunderteinundzwanzig', '321'],
    ['tausend', '1000'],
    ['zweitausendsechsundzwanzig', '2026'],
    ['hunderttausend', '100000'],
    ['neunhundertneunundneunzigtausendneunhundertneunundneunzig', '999999'],
    ['zwei Millionen', '2000000'],
    ['eineinhalb', '1.5'],
    ['zweieinhalb', '2.5'],
    ['anderthalb', '1.5'],
    ['2,5', '2.5'],
    ['1.200', '1200'],
    ['minus sieben', '-7'],
  ])('is read from "%s"', (text, value) => {
    expect(german.number(text)).toBe(value);
  });

  test.each([
    'einzwanzig',
    'zwanzigeins',
    'undzwanzig',
    'zehnund',
    'einhundertundund',
    'haus',
    'x'.repeat(500),
  ])('is not read from "%.30s"', (text) => {
    expect(german.number(text)).toBeNull();
  });

  test.each([
    ['erste', 1],
    ['zweiten', 2],
    ['dritter', 3],
    ['siebte', 7],
    ['zwanzigsten', 20],
    ['einundzwanzigste', 21],
    ['einunddreißigsten', 31],
  ])('%s is an ordinal', (text, value) => {
    expect(german.ordinal(text)).toBe(value);
  });
});

describe('a time of day', () => {
  test.each([
    ['sieben', '7:00'],
    ['7 Uhr', '7:00'],
    ['7.30 Uhr', '7:30'],
    ['19.05 Uhr', '19:05 pm'],
    ['sieben Uhr dreißig', '7:30'],
    ['19 Uhr 5', '19:05 pm'],
    ['0 Uhr 30', '0:30 am'],
    ['halb sieben', '6:30'],
    ['halb eins', '12:30'],
    ['viertel nach sieben', '7:15'],
    ['viertel vor acht', '7:45'],
    ['viertel acht', '7:15'],
    ['dreiviertel acht', '7:45'],
    ['viertel eins', '12:15'],
    ['fünf vor halb acht', '7:25'],
    ['zehn Minuten nach halb acht', '7:40'],
    ['zwanzig nach drei', '3:20'],
    ['zehn vor zwölf', '11:50'],
    ['7 Uhr 30 abends', '7:30 pm'],
    ['sieben Uhr morgens', '7:00 am'],
    ['Mitternacht', '24:00 pm'],
  ])('is read from "%s"', (text, value) => {
    expect(german.time(text)).toBe(value);
  });
});

test.each([
  ['fünf Minuten', 5],
  ['eine Stunde', 60],
  ['eine halbe Stunde', 30],
  ['eine Viertelstunde', 15],
  ['einer dreiviertel Stunde', 45],
  ['anderthalb Stunden', 90],
  ['zweieinhalb Stunden', 150],
  ['eine Stunde und 15 Minuten', 75],
  ['1 Stunde 20', 80],
  ['zwei Tage', 2_880],
])('reads the length of "%s"', (text, minutes) => {
  expect(german.minutes(text)).toBe(minutes);
});

test('splits a compound at a known last word, with its place in the text', () => {
  expect(german.readWords('Der Nudeltimer.').map(({ word, start, end }) => [word, start, end])).toEqual([
    ['der', 0, 3],
    ['nudel', 4, 9],
    ['timer', 9, 14],
  ]);
});
