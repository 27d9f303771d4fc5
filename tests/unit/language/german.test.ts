import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { digitsOf } from '../../../api/src/language/numbers/fraction.ts';
import { loadSkill } from '../../../api/src/respond/core/skill-language.ts';
import { loadClock } from '../../../api/src/respond/skills/clock/clock-language.ts';
import { createTimerWords } from '../../../api/src/respond/skills/timers/timer-words.ts';
import { timersShape } from '../../../api/src/respond/skills/timers/timers-shape.ts';

const {
  files,
  rules,
  grammar,
  numbers: numberWords,
} = loadLanguage({
  folder: new URL('../../../api/languages/de/', import.meta.url),
});
const { readWords } = createGrammar(grammar);
const numbers = rules.createNumberReader(numberWords);
const { durations, times } = createTimerWords({
  words: loadSkill(files, 'timers', timersShape).words,
  clockWords: loadClock(files).words,
  numbers,
  rules,
});

describe('a number', () => {
  const read = (text: string): string | null => {
    const words = readWords(text);
    const found = numbers.read(words, 0);
    return found && found.end === words.length
      ? digitsOf(found.value, { ...numberWords.marks, decimal: '.', thousands: '' })
      : null;
  };

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
    expect(read(text)).toBe(value);
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
    expect(read(text)).toBeNull();
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
    expect(numbers.readOrdinal(readWords(text), 0)?.value).toBe(value);
  });
});

describe('a time of day', () => {
  test.each([
    ['sieben', '7:00'],
    ['7 Uhr', '7:00'],
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
    const words = readWords(text);
    const found = times.read(words, 0);
    const { hour, minute, half } = found?.value ?? { hour: 0, minute: 0, half: null };

    expect(found?.end).toBe(words.length);
    expect(`${hour}:${String(minute).padStart(2, '0')}${half === null ? '' : ` ${half}`}`).toBe(value);
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
  const words = readWords(text);

  expect(durations.read(words, 0)).toMatchObject({ value: { ms: minutes * 60_000 }, end: words.length });
});

test('splits a compound at a known last word, with its place in the text', () => {
  expect(readWords('Der Nudeltimer.').map(({ word, start, end }) => [word, start, end])).toEqual([
    ['der', 0, 3],
    ['nudel', 4, 9],
    ['timer', 9, 14],
  ]);
});
