import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWordReader } from '../../../api/src/language/grammar/words.ts';
import { loadPart } from '../../../api/src/language/language.ts';
import {
  add,
  digitsOf,
  divide,
  type Fraction,
  fraction,
  leadingPlace,
  multiply,
  power,
  readDigits,
  root,
  round,
} from '../../../api/src/language/numbers/fraction.ts';
import { numbersSchema } from '../../../api/src/language/numbers/number-reader.ts';
import { rulesOf } from '../../../api/src/language/rules.ts';

const folder = new URL('../../../api/languages/en/', import.meta.url);
const known = loadPart({ folder }, 'numbers.yaml', numbersSchema);
const { createNumberReader } = rulesOf({ folder });
const reader = createNumberReader(known);
const readWords = createWordReader({ spellings: { '½': '1/2' }, fillers: [], abbreviations: [] });

/** The number at the beginning of a text, and the words after it. */
function read(text: string): string | null {
  const words = readWords(text);
  const found = reader.read(words, 0);
  const rest = words.slice(found?.end).map(({ word }) => word);
  return found && [digitsOf(found.value, known.marks, 6), ...rest].join(' ');
}

describe('a number', () => {
  test.each([
    ['five', '5'],
    ['zero', '0'],
    ['twenty-five', '25'],
    ['Twenty five', '25'],
    ['25', '25'],
    ['1,000', '1,000'],
    ['12,345.5', '12,345.5'],
    ['3.5', '3.5'],
    ['0.1', '0.1'],
    ['a hundred', '100'],
    ['one hundred and five', '105'],
    ['a hundred five', '105'],
    ['two hundred and twenty-two', '222'],
    ['nineteen hundred', '1,900'],
    ['a thousand', '1,000'],
    ['two thousand and twenty six', '2,026'],
    ['five hundred thousand', '500,000'],
    ['one million two hundred and thirty four thousand five hundred and sixty seven', '1,234,567'],
    ['1.5 million', '1,500,000'],
    ['two point five million', '2,500,000'],
    ['5 hundred', '500'],
    ['three point one four', '3.14'],
    ['two and a half', '2.5'],
    ['two and three quarters', '2.75'],
    ['half', '0.5'],
    ['a half', '0.5'],
    ['a quarter', '0.25'],
    ['three quarters', '0.75'],
    ['one third', '0.333333'],
    ['1/2', '0.5'],
    ['3 1/2', '3.5'],
    ['3½', '3.5'],
    ['a dozen', '12'],
    ['two dozen', '24'],
    ['minus five', '-5'],
    ['-5', '-5'],
    ['negative two and a half', '-2.5'],
    ['five apples', '5 apples'],
    ['twenty twenty six', '20 twenty six'],
    ['five and six', '5 and six'],
    ['two thousand three million', '2,000 three million'],
    ['one and a', '1 and a'],
    ['five point', '5 point'],
    ['forty zero', '40 zero'],
    ['7 / 8', '7 / 8'],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    '',
    'a',
    'an apple',
    'hundred',
    'and',
    'point five',
    'quarter',
    'minus',
    'banana',
    '7:30',
    '1,00',
    'toString',
  ])('is not seen in %j', (text) => {
    expect(read(text)).toBeNull();
  });

  test.each([
    ['first', 1],
    ['twenty-first', 21],
    ['3rd', 3],
    ['31st', 31],
    ['thirtieth', 30],
    ['five', null],
    ['twenty', null],
  ])('in a row is read from %j', (text, expected) => {
    expect(reader.readOrdinal(readWords(text), 0)?.value ?? null).toBe(expected);
  });

  test('is found again in its words and digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (value) => {
        expect(read(value.toLocaleString('en'))).toBe(value.toLocaleString('en'));
      }),
    );
  });
});

test('digits are read and written with the marks of the language', () => {
  const marks = { decimal: ',', thousands: '.' };
  const continental = createNumberReader({ ...known, marks });

  const value = continental.read(readWords('1.250,5'), 0)?.value;

  expect(value).toEqual(fraction(2501, 2));
  expect(value && digitsOf(value, marks)).toBe('1.250,5');
  expect(continental.read(readWords('2.5'), 0)).toBeNull();
});

describe('exact numbers', () => {
  const of = (text: string): Fraction => readDigits(text) ?? fraction(0);

  test('add up as on paper', () => {
    expect(digitsOf(add(of('0.1'), of('0.2')), known.marks)).toBe('0.3');
    expect(digitsOf(multiply(of('1.1'), of('1.1')), known.marks)).toBe('1.21');
    expect(divide(of('1'), of('0'))).toBeNull();
  });

  test('are rounded halves up, on either side of zero', () => {
    expect(digitsOf(round(of('2.345'), 2), known.marks)).toBe('2.35');
    expect(digitsOf(round(fraction(-5, 2), 0), known.marks)).toBe('-3');
    expect(digitsOf(round(of('1250'), -2), known.marks)).toBe('1,300');
  });

  test.each([
    ['5', 0],
    ['50', 1],
    ['999', 2],
    ['0.5', -1],
    ['0.1', -1],
    ['0.05', -2],
    ['0.01', -2],
    ['0', 0],
  ])('know the place of the first digit of %s', (text, place) => {
    expect(leadingPlace(of(text))).toBe(place);
  });

  test('are raised and drawn roots of', () => {
    expect(power(of('2'), 10n)).toEqual(fraction(1024));
    expect(power(of('2'), -2n)).toEqual(fraction(1, 4));
    expect(power(of('0'), -1n)).toBeNull();
    expect(power(of('10'), 100_000_000n)).toBeNull();
    expect(power(fraction(-1), 99_999_999_999n)).toEqual(fraction(-1));
    expect(root(of('144'), 2)).toEqual({ value: fraction(12), isExact: true });
    expect(root(of('0.25'), 2)).toEqual({ value: fraction(1, 2), isExact: true });
    expect(root(fraction(-27), 3)).toEqual({ value: fraction(-3), isExact: true });
    expect(root(fraction(-4), 2)).toBeNull();
    expect(digitsOf(root(of('2'), 2)?.value ?? fraction(0), known.marks, 20)).toBe(
      '1.41421356237309504880'.replace(/0$/, ''),
    );
  });
});
