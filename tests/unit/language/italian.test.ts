import { describe, expect, test } from 'vitest';
import type { Day } from '../../../api/src/language/calendar/day.ts';
import { languageReaders } from '../../support/language-readers.ts';

const { readWords, number, ordinal, time, minutes, dates, readRepeat, rules } = languageReaders('it');

test.each([
  ['zero', '0'],
  ['sette', '7'],
  ['sedici', '16'],
  ['ventuno', '21'],
  ['ventun', '21'],
  ['ventotto', '28'],
  ['ventitré', '23'],
  ['ventitre', '23'],
  ['trentasette', '37'],
  ['novantanove', '99'],
  ['cento', '100'],
  ['centocinque', '105'],
  ['centotto', '108'],
  ['centoventi', '120'],
  ['centottanta', '180'],
  ['duecentocinquanta', '250'],
  ['duecento cinquanta', '250'],
  ['trecentoventuno', '321'],
  ['mille', '1000'],
  ['millecinquecento', '1500'],
  ['mille e cinquecento', '1500'],
  ['duemila', '2000'],
  ['due mila', '2000'],
  ['duemilaventisei', '2026'],
  ['trentunomila', '31000'],
  ['centomila', '100000'],
  ['novecentonovantanovemilanovecentonovantanove', '999999'],
  ['un milione', '1000000'],
  ['due milioni trecentomila', '2300000'],
  ['un miliardo', '1000000000'],
  ['2 mila', '2000'],
  ['due e mezzo', '2.5'],
  ['tre quarti', '0.75'],
  ['due virgola cinque', '2.5'],
  ['2,5', '2.5'],
  ['1.200', '1200'],
  ['mezza dozzina', '6'],
  ['una ventina', '20'],
  ['meno sette', '-7'],
])('the number "%s" is read', (text, value) => {
  expect(number(text)).toBe(value);
});

test.each(['sette e tre', 'venti trenta', 'e uno', 'casa', 'millemila', 'ventidieci', 'x'.repeat(500)])(
  'no number is read from "%.30s"',
  (text) => {
    expect(number(text)).toBeNull();
  },
);

test.each([
  ['primo', 1],
  ['terza', 3],
  ['undicesimo', 11],
  ['ventesimo', 20],
  ['ventunesimo', 21],
  ['ventitreesima', 23],
  ['trentesimo', 30],
  ['24º', 24],
  ['1°', 1],
])('the ordinal "%s" is read', (text, value) => {
  expect(ordinal(text)).toBe(value);
});

test.each([
  ['sette', '7:00'],
  ['una', '1:00'],
  ['sette in punto', '7:00'],
  ['sette e mezza', '7:30'],
  ['sette e mezzo', '7:30'],
  ['sette e un quarto', '7:15'],
  ['sette e tre quarti', '7:45'],
  ['otto meno un quarto', '7:45'],
  ['un quarto alle otto', '7:45'],
  ['un quarto all’una', '12:45'],
  ['una meno dieci', '12:50'],
  ['dodici e cinque', '12:05'],
  ['tre e venticinque', '3:25'],
  ['cinque e trentacinque', '5:35'],
  ['dieci meno venti', '9:40'],
  ['sette trenta', '7:30'],
  ['sette e zero cinque', '7:05'],
  ['sette zero cinque', '7:05'],
  ['19:30', '19:30 pm'],
  ['diciannove e trenta', '19:30 pm'],
  ['ventuno e un quarto', '21:15 pm'],
  ['sette e mezza di sera', '7:30 pm'],
  ['tre del pomeriggio', '3:00 pm'],
  ['sette del mattino', '7:00 am'],
  ['sei di mattina', '6:00 am'],
  ['mezzogiorno', '12:00 pm'],
  ['mezzogiorno e mezzo', '12:30 pm'],
  ['mezzogiorno e un quarto', '12:15 pm'],
  ['mezzogiorno meno dieci', '11:50 am'],
  ['mezzanotte', '24:00 pm'],
  ['mezzanotte e mezza', '0:30 am'],
  ['mezzanotte meno cinque', '23:55 pm'],
])('the time of day "%s" is read', (text, value) => {
  expect(time(text)).toBe(value);
});

test.each(['dieci alle otto', 'sette e tre mele', 'e mezza'])('no time of day is read from "%s"', (text) => {
  expect(time(text)).toBeNull();
});

test.each([
  ['cinque minuti', 5],
  ["un'ora", 60],
  ["mezz'ora", 30],
  ['mezzora', 30],
  ['un quarto d’ora', 15],
  ["tre quarti d'ora", 45],
  ["un'ora e mezza", 90],
  ['due ore e mezza', 150],
  ["un'ora e un quarto", 75],
  ['un’ora e tre quarti', 105],
  ["un'ora e 15 minuti", 75],
  ['1 ora 20', 80],
  ['un minuto e mezzo', 1.5],
  ['una decina di minuti', 10],
  ['un paio di minuti', 2],
  ['mezzo minuto', 0.5],
  ['due giorni', 2_880],
])('the length "%s" is read', (text, value) => {
  expect(minutes(text)).toBe(value);
});

describe('a date', () => {
  /** A Saturday. */
  const today: Day = { year: 2026, month: 11, day: 21 };

  test.each([
    ['domani', '2026-11-22'],
    ['dopodomani', '2026-11-23'],
    ['venerdì', '2026-11-27'],
    ['venerdi', '2026-11-27'],
    ['venerdì prossimo', '2026-11-27'],
    ['il prossimo lunedì', '2026-11-23'],
    ['il 24 dicembre', '2026-12-24'],
    ['il ventiquattro dicembre', '2026-12-24'],
    ['il primo gennaio', '2027-1-1'],
    ['l’otto marzo', '2027-3-8'],
    ['l’8 marzo', '2027-3-8'],
    ['5 gennaio 2028', '2028-1-5'],
    ['cinque gennaio duemilaventotto', '2028-1-5'],
    ['Natale', '2026-12-25'],
    ['Ferragosto', '2027-8-15'],
    ['Pasquetta', '2027-3-29'],
    ['Festa della Repubblica', '2027-6-2'],
  ])('is read from "%s"', (text, value) => {
    const words = readWords(text);
    const from = ['il', "l'"].includes(words[0]?.word ?? '') ? 1 : 0;
    const found = dates.read(words, from);
    const day = found?.value(today);

    expect(found?.end).toBe(words.length);
    expect(`${day?.year}-${day?.month}-${day?.day}`).toBe(value);
  });
});

test.each([
  ['tutti i giorni', 'FREQ=DAILY'],
  ['ogni giorno', 'FREQ=DAILY'],
  ['il lunedì', 'FREQ=WEEKLY;BYDAY=MO'],
  ['ogni lunedì', 'FREQ=WEEKLY;BYDAY=MO'],
  ['di martedì e giovedì', 'FREQ=WEEKLY;BYDAY=TU,TH'],
  ['il martedì e il giovedì', 'FREQ=WEEKLY;BYDAY=TU,TH'],
  ['la domenica', 'FREQ=WEEKLY;BYDAY=SU'],
  ['tutti i venerdì', 'FREQ=WEEKLY;BYDAY=FR'],
  ['tutte le domeniche', 'FREQ=WEEKLY;BYDAY=SU'],
  ['da lunedì a venerdì', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['dal lunedì al venerdì', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['nei giorni feriali', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['nei fine settimana', 'FREQ=WEEKLY;BYDAY=SA,SU'],
  ['ogni due giorni', 'FREQ=DAILY;INTERVAL=2'],
  ['il 5 di ogni mese', 'FREQ=MONTHLY;BYMONTHDAY=5'],
  ['il primo lunedì di ogni mese', 'FREQ=MONTHLY;BYDAY=1MO'],
])('reads how often "%s" is', (text, rule) => {
  const words = readWords(text);

  expect(readRepeat(words, 0)).toMatchObject({ value: { rule }, end: words.length });
});

test.each(['venerdì alle 10', 'domenica alle 9', 'il prossimo lunedì'])(
  '"%s" is not a repetition',
  (text) => {
    expect(readRepeat(readWords(text), 0)).toBeNull();
  },
);

test.each([
  ['Sono le 1:20.', "È l'1:20."],
  ['Sono le 11:20.', 'Sono le 11:20.'],
  ['Sono le 0:00.', 'È mezzanotte.'],
  ['Ti sveglio domani alle 1:00.', "Ti sveglio domani all'1:00."],
  ['Ti sveglio domani alle 11:00.', 'Ti sveglio domani alle 11:00.'],
  ['Erano le 1:05 di lunedì.', "Era l'1:05 di lunedì."],
  ['sveglia delle 1:30', "sveglia dell'1:30"],
  ['Ti ricordo il 8 marzo alle 9:00: mimose.', "Ti ricordo l'8 marzo alle 9:00: mimose."],
  ['fino al 11 maggio', "fino all'11 maggio"],
  ['il 18 maggio', 'il 18 maggio'],
  ['Il 8 per cento di 50 fa 4.', "L'8 per cento di 50 fa 4."],
  ['Timer, adesso mancano un minuto.', 'Timer, adesso manca un minuto.'],
  ["Timer, adesso mancano un'ora e due minuti.", "Timer, adesso manca un'ora e due minuti."],
  ['Timer, adesso mancano undici minuti.', 'Timer, adesso mancano undici minuti.'],
  ['Aggiunto a la lista della spesa: latte.', 'Aggiunto alla lista della spesa: latte.'],
  ['In la lista della spesa: latte.', 'Nella lista della spesa: latte.'],
  ['Tolto da la lista Vacanze: crema.', 'Tolto dalla lista Vacanze: crema.'],
  ["Aggiunto: succo d' arancia.", "Aggiunto: succo d'arancia."],
  ['Aggiunto: pane e erbe.', 'Aggiunto: pane ed erbe.'],
  ['Aggiunto: latte e uova.', 'Aggiunto: latte e uova.'],
])('the reply "%s" agrees as "%s"', (text, agreed) => {
  expect(rules.agreed?.(text)).toBe(agreed);
});
