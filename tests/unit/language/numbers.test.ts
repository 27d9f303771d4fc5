import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWordReader } from '../../../api/src/language/grammar/words.ts';
import { loadPart, rulesOf } from '../../../api/src/language/language.ts';
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
  subtract,
} from '../../../api/src/language/numbers/fraction.ts';
import { numbersSchema } from '../../../api/src/language/numbers/number-reader.ts';

const folder = new URL('../../../api/languages/en/', import.meta.url);
const known = loadPart({ folder }, 'numbers.yaml', numbersSchema);
const { createNumberReader } = rulesOf({ folder });
const reader = createNumberReader(known);
const readWords = createWordReader({ spellings: {}, fillers: [], abbreviations: [] });

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
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['.75 hours', '0.75 hours'],
    ['point five', '0.5'],
    ['three point fourteen', '3.14'],
    ['1⅓ cups', '1.333333 cups'],
    ['⅔', '0.666666'],
    ['1¹⁄₂', '1.5'],
    ['1 ⁵⁄₈', '1.625'],
    ['⅟4', '0.25'],
    ['2½⅓', '2.5 1 / 3'],
    ['1 and a 1/2', '1.5'],
    ['two and a ¾', '2.75'],
    ['a 3/4', '0.75'],
    ['half a dozen', '6'],
    ['half a million', '500,000'],
    ['one and a half million', '1,500,000'],
    ['five sevenths', '0.714285'],
    ['twenty fifths', '4'],
    ['１２，３４５．５', '12,345.5'],
    ['１２', '12'],
    ['٣٫٥', '3.5'],
    ['𝟏𝟐', '12'],
    ['①②', '1 2'],
    ['5₂', '5 2'],
    // An unknown sign stays, so that no sentence fits.
    ['3·5', '3 · 5'],
    ["1'000", "1 ' 000"],
    ['5 ± 1', '5 ± 1'],
    ['5‰', '5 ‰'],
    ['5" nails', '5 " nails'],
    ['10² eggs', '10 ² eggs'],
    ['10⁴', '10 ^ 4'],
    ['5…10', '5 ... 10'],
    ['½‰', '0.5 ‰'],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    '',
    'a',
    'an apple',
    'hundred',
    'and',
    ':30',
    ',5',
    'quarter',
    'minus',
    'banana',
    '7:30',
    '1,00',
    'toString',
  ])('is not found in %j', (text) => {
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
  ])('in a sequence is read from %j', (text, expected) => {
    expect(reader.readOrdinal(readWords(text), 0)?.value ?? null).toBe(expected);
  });

  test('survives a round trip through digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (value) => {
        expect(read(value.toLocaleString('en'))).toBe(value.toLocaleString('en'));
      }),
    );
  });

  test('survives a round trip through every notation, whole and to its last digit', () => {
    const notation = fc.oneof(wholeNumber, decimalNumber, fractionNumber, mixedNumber);
    fc.assert(
      fc.property(notation, fc.boolean(), fc.boolean(), ({ text, value }, isNegative, isFullWidth) => {
        const minus = /^[a-z]/.test(text) ? 'minus ' : '-';
        const written = isNegative ? minus + text : text;
        const said = readWords(isFullWidth ? fullWidth(written) : written);

        const found = reader.read(said, 0);

        const reference = isNegative ? subtract(fraction(0), value) : value;
        expect({ value: found?.value, end: found?.end }).toEqual({ value: reference, end: said.length });
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A number in one of its notations, with its value made without the reader. */
interface Notation {
  text: string;
  value: Fraction;
}

const vulgar: Readonly<Record<string, readonly [number, number]>> = {
  '½': [1, 2],
  '⅓': [1, 3],
  '⅔': [2, 3],
  '¼': [1, 4],
  '¾': [3, 4],
  '⅕': [1, 5],
  '⅖': [2, 5],
  '⅗': [3, 5],
  '⅘': [4, 5],
  '⅙': [1, 6],
  '⅚': [5, 6],
  '⅐': [1, 7],
  '⅛': [1, 8],
  '⅜': [3, 8],
  '⅝': [5, 8],
  '⅞': [7, 8],
  '⅑': [1, 9],
  '⅒': [1, 10],
};
const below20 =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = ',,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');

/** A whole number below a million in words. */
function inWords(value: number): string {
  if (value < 20) return below20[value] ?? '';
  if (value < 100) return [tens[Math.floor(value / 10)], ...inRest(value % 10)].join('-');
  const [size, name] = value < 1_000 ? [100, 'hundred'] : [1_000, 'thousand'];
  const rest = inRest(value % size);
  return [inWords(Math.floor(value / size)), name, ...(rest.length > 0 ? ['and', ...rest] : [])].join(' ');
}

function inRest(value: number): string[] {
  return value === 0 ? [] : [inWords(value)];
}

function fullWidth(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const loweredDigits = '₀₁₂₃₄₅₆₇₈₉';
const inDigitsOf = (digits: string, value: number) =>
  [...String(value)].map((digit) => digits[Number(digit)]).join('');

const wholeNumber: fc.Arbitrary<Notation> = fc.tuple(fc.nat(999_999), fc.nat(2)).map(([value, kind]) => ({
  text: [String(value), value.toLocaleString('en'), inWords(value)][kind] ?? '',
  value: fraction(value),
}));

const decimalNumber: fc.Arbitrary<Notation> = fc
  .tuple(
    fc.nat(9_999),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 4 }),
    fc.nat(3),
  )
  .map(([whole, decimals, kind]) => {
    const size = 10 ** decimals.length;
    const spoken = [...decimals].map((digit) => below20[Number(digit)]).join(' ');
    const part = fraction(Number(decimals), size);
    if (kind === 0) return { text: `.${decimals}`, value: part };
    if (kind === 1) return { text: `point ${spoken}`, value: part };
    const value = add(fraction(whole), part);
    return { text: kind === 2 ? `${whole}.${decimals}` : `${inWords(whole)} point ${spoken}`, value };
  });

/** A fraction below one: as a sign, with a slash, with a fraction slash, raised and lowered. */
const fractionNumber: fc.Arbitrary<Notation> = fc
  .tuple(fc.constantFrom(...Object.entries(vulgar)), fc.integer({ min: 2, max: 99 }), fc.nat(98), fc.nat(3))
  .map(([[sign, [top, bottom]], under, above, kind]) => {
    if (kind === 0) return { text: sign, value: fraction(top, bottom) };
    const over = (above % (under - 1)) + 1;
    const slash = kind === 1 ? '/' : '⁄';
    const raised = `${inDigitsOf(raisedDigits, over)}⁄${inDigitsOf(loweredDigits, under)}`;
    return { text: kind === 3 ? raised : `${over}${slash}${under}`, value: fraction(over, under) };
  });

/** "3½", "3 1/2", "three and ½", "three and a 1/2", "3 and a half" */
const mixedNumber: fc.Arbitrary<Notation> = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.boolean(), fractionNumber, fc.nat(3))
  .map(([whole, isSaid, part, kind]) => {
    const front = isSaid ? inWords(whole) : String(whole);
    const joints = [' ', ' and ', ' and a ', /^[\d]/.test(part.text) ? ' ' : ''];
    return { text: `${front}${joints[kind]}${part.text}`, value: add(fraction(whole), part.value) };
  });

test('digits are read and written with the separators of the language', () => {
  const marks = { ...known.marks, decimal: ',', thousands: '.' };
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

  test('round halves up, on either side of zero', () => {
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
  ])('know the position of the first digit of %s', (text, place) => {
    expect(leadingPlace(of(text))).toBe(place);
  });

  test('support powers and roots', () => {
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
