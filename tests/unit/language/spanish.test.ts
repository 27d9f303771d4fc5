import { describe, expect, test } from 'vitest';
import type { Day } from '../../../api/src/language/calendar/day.ts';
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
  folder: new URL('../../../api/languages/es/', import.meta.url),
});
const { readWords } = createGrammar(grammar);
const numbers = rules.createNumberReader(numberWords);
const { durations, times, dates, readRepeat } = createTimerWords({
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
    ['cero', '0'],
    ['siete', '7'],
    ['dieciséis', '16'],
    ['veintidos', '22'],
    ['treinta y siete', '37'],
    ['noventa y nueve', '99'],
    ['cien', '100'],
    ['ciento cinco', '105'],
    ['doscientos cincuenta', '250'],
    ['trescientas veintiuna', '321'],
    ['mil', '1000'],
    ['mil quinientos', '1500'],
    ['dos mil veintiséis', '2026'],
    ['treinta y un mil', '31000'],
    ['cien mil', '100000'],
    ['novecientos noventa y nueve mil novecientos noventa y nueve', '999999'],
    ['un millón', '1000000'],
    ['dos millones trescientos mil', '2300000'],
    ['mil millones', '1000000000'],
    ['2 mil', '2000'],
    ['dos y media', '2.5'],
    ['tres cuartos', '0.75'],
    ['dos coma cinco', '2.5'],
    ['2,5', '2.5'],
    ['1.200', '1200'],
    ['media docena', '6'],
    ['menos siete', '-7'],
  ])('is read from "%s"', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each(['treinta y', 'siete y tres', 'veinte treinta', 'y uno', 'casa', 'x'.repeat(500)])(
    'is not read from "%.30s"',
    (text) => {
      expect(read(text)).toBeNull();
    },
  );
});

describe('a time of day', () => {
  test.each([
    ['siete', '7:00'],
    ['siete en punto', '7:00'],
    ['siete y media', '7:30'],
    ['siete y cuarto', '7:15'],
    ['ocho menos cuarto', '7:45'],
    ['una menos diez', '12:50'],
    ['doce y cinco', '12:05'],
    ['tres y veinticinco', '3:25'],
    ['cinco y treinta y cinco', '5:35'],
    ['diez menos veinte', '9:40'],
    ['cuarto para las ocho', '7:45'],
    ['diez para las siete', '6:50'],
    ['siete treinta', '7:30'],
    ['19:30', '19:30 pm'],
    ['siete y media de la tarde', '7:30 pm'],
    ['siete de la mañana', '7:00 am'],
    ['una de la madrugada', '1:00 am'],
    ['mediodía', '12:00 pm'],
    ['doce de la noche', '24:00 pm'],
  ])('is read from "%s"', (text, value) => {
    const words = readWords(text);
    const found = times.read(words, 0);
    const { hour, minute, half } = found?.value ?? { hour: 0, minute: 0, half: null };

    expect(found?.end).toBe(words.length);
    expect(`${hour}:${String(minute).padStart(2, '0')}${half === null ? '' : ` ${half}`}`).toBe(value);
  });
});

test.each([
  ['cinco minutos', 5],
  ['una hora', 60],
  ['media hora', 30],
  ['un cuarto de hora', 15],
  ['tres cuartos de hora', 45],
  ['hora y media', 90],
  ['una hora y media', 90],
  ['dos horas y media', 150],
  ['una hora y cuarto', 75],
  ['1 hora y tres cuartos', 105],
  ['una hora y 15 minutos', 75],
  ['1 hora 20', 80],
  ['5 minutos y medio', 5.5],
  ['dos días', 2_880],
])('reads the length of "%s"', (text, minutes) => {
  const words = readWords(text);

  expect(durations.read(words, 0)).toMatchObject({ value: { ms: minutes * 60_000 }, end: words.length });
});

describe('a date', () => {
  /** A Saturday. */
  const today: Day = { year: 2026, month: 11, day: 21 };

  test.each([
    ['mañana', '2026-11-22'],
    ['pasado mañana', '2026-11-23'],
    ['el viernes', '2026-11-27'],
    ['el viernes que viene', '2026-11-27'],
    ['el próximo lunes', '2026-11-23'],
    ['el 24 de diciembre', '2026-12-24'],
    ['el veinticuatro de diciembre', '2026-12-24'],
    ['el primero de enero', '2027-1-1'],
    ['uno de mayo', '2027-5-1'],
    ['5 de enero de 2028', '2028-1-5'],
    ['cinco de enero del dos mil veintiocho', '2028-1-5'],
    ['Nochebuena', '2026-12-24'],
  ])('is read from "%s"', (text, value) => {
    const words = readWords(text);
    const from = words[0]?.word === 'el' ? 1 : 0;
    const found = dates.read(words, from);
    const day = found?.value(today);

    expect(found?.end).toBe(words.length);
    expect(`${day?.year}-${day?.month}-${day?.day}`).toBe(value);
  });
});

test.each([
  ['todos los días', 'FREQ=DAILY'],
  ['cada día', 'FREQ=DAILY'],
  ['los lunes', 'FREQ=WEEKLY;BYDAY=MO'],
  ['los martes y jueves', 'FREQ=WEEKLY;BYDAY=TU,TH'],
  ['todos los viernes', 'FREQ=WEEKLY;BYDAY=FR'],
  ['cada lunes', 'FREQ=WEEKLY;BYDAY=MO'],
  ['de lunes a viernes', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['entre semana', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['los fines de semana', 'FREQ=WEEKLY;BYDAY=SA,SU'],
  ['cada dos días', 'FREQ=DAILY;INTERVAL=2'],
  ['el 5 de cada mes', 'FREQ=MONTHLY;BYMONTHDAY=5'],
])('reads how often "%s" is', (text, rule) => {
  const words = readWords(text);

  expect(readRepeat(words, 0)).toMatchObject({ value: { rule }, end: words.length });
});

test('a single weekday is not a repetition, though several are called the same', () => {
  expect(readRepeat(readWords('viernes a las 10'), 0)).toBeNull();
  expect(readRepeat(readWords('el viernes a las 10'), 0)).toBeNull();
});

test.each([
  ['Son las 1:20.', 'Es la 1:20.'],
  ['Son las 11:20.', 'Son las 11:20.'],
  ['Te despierto mañana a las 1:00.', 'Te despierto mañana a la 1:00.'],
  ['Eran las 1:05 del lunes.', 'Era la 1:05 del lunes.'],
  ['Temporizador, ahora quedan un minuto.', 'Temporizador, ahora queda un minuto.'],
  ['Temporizador, ahora quedan once minutos.', 'Temporizador, ahora quedan once minutos.'],
  ['Añadido: leche y higos.', 'Añadido: leche e higos.'],
  ['Añadido: leche y hielo.', 'Añadido: leche y hielo.'],
  ['¿siete minutos o ocho horas?', '¿siete minutos u ocho horas?'],
])('the reply "%s" agrees as "%s"', (text, agreed) => {
  expect(rules.agreed?.(text)).toBe(agreed);
});
