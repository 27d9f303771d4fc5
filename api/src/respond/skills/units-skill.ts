import { z } from 'zod';
import { withCapital } from '../../language/capitals.ts';
import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { rulesOf } from '../../language/language.ts';
import { compare, type Fraction, fraction, isWhole, multiply } from '../../language/numbers/fraction.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { fill } from '../../language/phrase.ts';
import type { LanguageRules } from '../../language/rules.ts';
import { spokenNumber } from '../../language/sums/spoken-number.ts';
import { convert, type Measured, roundMeasure, wholeAndRest } from '../../language/units/convert.ts';
import { type Measure, type MeasureWords, measureWordsSchema } from '../../language/units/measure-reader.ts';
import { type UnitName, units } from '../../language/units/units.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { readBy, type SlotValues, slotOf } from '../core/slot.ts';

/** The fractions that are on measuring cups and spoons. */
const kitchenFractions = [2n, 3n, 4n, 8n];
/** The units that people divide by these fractions, and the next smaller one. */
const kitchenUnits: Readonly<Partial<Record<UnitName, UnitName | null>>> = {
  ...{ us_cup: 'us_tablespoon', us_tablespoon: 'us_teaspoon', us_teaspoon: null },
  ...{ pound: 'ounce', ounce: null, us_pint: 'us_cup', us_quart: 'us_cup', us_gallon: 'us_quart' },
};

const said = ['measure', 'result'];
const saidTwice = [...said, 'other'];

const shape = {
  replies: {
    is: said,
    about: said,
    and: saidTwice,
    and_about: saidTwice,
    or: saidTwice,
    or_about: saidTwice,
    below_zero: [],
  },
  words: measureWordsSchema.extend({
    /** "HALF OF 2 cups", "DOUBLE 3 ounces": the factor as a fraction. */
    factors: z.record(z.string(), z.string().regex(/^\d+(\/\d+)?$/)).default({}),
  }),
} as const;

interface UnitsOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  readWords: WordReader;
}

/** Converts units: kitchen, weather, road. */
export function createUnitsSkill({ files, numbers, readWords }: UnitsOptions): Skill {
  const { reply, words, ...language } = loadSkill(files, 'units', shape);
  const { createMeasureReader, formOf } = rulesOf(files);
  const reader = createMeasureReader(words, numbers);

  const slots = {
    measure: slotOf(reader.read),
    degrees: slotOf(reader.readDegrees),
    unit: slotOf(reader.readUnit),
    from: readBy(reader.readUnit),
    other: readBy(reader.readUnit),
    factor: slotOf(createFactorReader(words.factors, readWords)),
  };
  const { tells } = intentsOf<SlotValues<typeof slots>>();

  const { inWords, inKitchen } = createAmounts(words, numbers, formOf);
  const measureInWords = ({ parts }: Measure) =>
    parts.map(({ value, unit }) => inWords(value, unit)).join(' ');

  const resultText = (said: Measure, wanted: UnitName, { turn }: Ask): string | null => {
    const [measure, to] = beside(said, wanted);
    const exact = convert(measure, to);
    if (exact === 'below_zero') return reply(exact, {}, turn);
    // The grams in a cup depend on the ingredient.
    if (exact === 'other_quantity' || isSame(measure, to)) return null;
    const { value, isExact } = roundMeasure(exact, to);
    const values = { measure: measureInWords(measure), result: inWords(value, to) };
    return reply(isExact ? 'is' : 'about', values, turn);
  };

  /**
   * In two units: the smaller one holds the remainder, "22 pounds and 0.7 ounces", or the whole value again.
   */
  const toldTwice = (measure: Measure, [one, other]: readonly [UnitName, UnitName], ask: Ask) => {
    if (words.rest[one] === other) return toldWithRest(measure, [one, other], ask);
    const [inOne, inOther] = [convert(measure, one), convert(measure, other)];
    const fault = [inOne, inOther].find((each) => typeof each === 'string');
    if (fault === 'below_zero') return reply(fault, {}, ask.turn);
    if (typeof inOne === 'string' || typeof inOther === 'string') return null;
    const [first, second] = [roundMeasure(inOne, one), roundMeasure(inOther, other)];
    return reply(
      first.isExact && second.isExact ? 'or' : 'or_about',
      {
        measure: measureInWords(measure),
        result: inWords(first.value, one),
        other: inWords(second.value, other),
      },
      ask.turn,
    );
  };

  const toldWithRest = (measure: Measure, [one, other]: readonly [UnitName, UnitName], { turn }: Ask) => {
    const split = wholeAndRest(measure, [one, other]);
    if (!split) return null;
    const { whole, rest, isExact } = split;
    const said = { measure: measureInWords(measure) };
    const [result, more] = [inWords(whole, one), inWords(rest, other)];
    if (rest.top === 0n) return reply(isExact ? 'is' : 'about', { ...said, result }, turn);
    if (whole.top === 0n) return reply(isExact ? 'is' : 'about', { ...said, result: more }, turn);
    return reply(isExact ? 'and' : 'and_about', { ...said, result, other: more }, turn);
  };

  /** "Half of 3/4 cup", "double 250 grams". The answer gives the fractions of measuring cups and spoons. */
  const scaled = (measure: Measure, { name, factor }: Factor, { turn }: Ask): string => {
    const { unit } = measure;
    const value = multiply(measure.value, factor);
    const amount = measure.parts.map((part) => inKitchen(part.value, part.unit)).join(' ');
    // "la moitié d'1 litre"
    const space = name.endsWith("'") ? '' : ' ';
    const told = { measure: withCapital(`${name}${space}${amount}`), result: inKitchen(value, unit) };
    const smaller = kitchenUnits[unit] ?? null;
    const other = smaller && !isWhole(value) ? convert({ value, unit }, smaller) : null;
    return smaller && other !== null && typeof other !== 'string' && isWhole(other)
      ? reply('or', { ...told, other: inWords(other, smaller) }, turn)
      : reply('is', told, turn);
  };

  /** "How many ounces in a cup": reads both as volume. */
  const beside = (measure: Measure, to: UnitName): [Measure, UnitName] => {
    if (units[measure.unit].quantity === units[to].quantity) return [measure, to];
    const unit = words.fluid[measure.unit] ?? measure.unit;
    return [oneOf(measure.value, unit), words.fluid[to] ?? to];
  };

  /** "180 degrees in Fahrenheit" means Celsius. */
  const otherDegrees = (value: Fraction | null, to: UnitName): Measure | null => {
    const unit = words.other_degrees[to];
    if (!unit || !value) return null;
    return oneOf(value, unit);
  };

  return defineSkill({
    name: 'units',
    ...language,
    slots,
    intents: {
      convert: tells((ask, { unit, measure, degrees }) => {
        const meant = measure ?? (unit && otherDegrees(degrees, unit));
        return meant && unit ? resultText(meant, unit, ask) : null;
      }),
      scaled: tells((ask, { measure, factor }) =>
        measure && factor && units[measure.unit].quantity !== 'temperature'
          ? scaled(measure, factor, ask)
          : null,
      ),
      both: tells((ask, { measure, unit, other }) =>
        measure && unit && other ? toldTwice(measure, [unit, other], ask) : null,
      ),
      // "How do I convert feet to inches": the answer is the rate.
      rate: tells((ask, { from, unit }) =>
        from && unit ? resultText(oneOf(fraction(1), from), unit, ask) : null,
      ),
    },
  });
}

function oneOf(value: Fraction, unit: UnitName): Measure {
  return { value, unit, parts: [{ value, unit }] };
}

function isSame(measured: Measured, to: UnitName): boolean {
  return measured.unit === to;
}

/** Tells amounts with their units. */
function createAmounts(
  words: Pick<MeasureWords, 'units' | 'amount'>,
  { marks }: Pick<NumberReader, 'marks'>,
  formOf: LanguageRules['formOf'],
) {
  const inWords = (value: Fraction, unit: UnitName): string => {
    const [one, several] = words.units[unit];
    const n = spokenNumber(value, marks).text;
    return fill(words.amount, { n, unit: (formOf(n) === 'one' ? one : several) ?? unit });
  };
  /** "3/8 cup", "1 1/2 cups". Other amounts and units as decimals. */
  const inKitchen = (value: Fraction, unit: UnitName): string => {
    const { top, bottom } = value;
    if (!kitchenFractions.includes(bottom) || !(unit in kitchenUnits)) return inWords(value, unit);
    const [one, several] = words.units[unit];
    const n = [top / bottom || '', `${top % bottom}/${bottom}`].join(' ').trim();
    return fill(words.amount, { n, unit: (compare(value, fraction(1)) < 0 ? one : several) ?? unit });
  };

  return { inWords, inKitchen };
}

interface Factor {
  /** As it was said: "half of". */
  name: string;
  factor: Fraction;
}

/** Reads the words for a factor before a measure. */
function createFactorReader(factors: Readonly<Record<string, string>>, readWords: WordReader) {
  const known = Object.entries(factors).map(([name, text]) => {
    const [top = 1, bottom = 1] = text.split('/').map(Number);
    return { text: name, stands: { name, factor: fraction(top, bottom) } };
  });
  const finder = createPhraseFinder<Factor>(known, readWords);
  return (said: readonly Word[], from: number) => {
    const longest = finder.at(said, from).at(-1);
    return longest ? { value: longest.found, end: longest.end } : null;
  };
}
