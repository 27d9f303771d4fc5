import type { LanguageFiles } from '../../language/language.ts';
import type { Fraction } from '../../language/numbers/fraction.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { fill } from '../../language/phrase.ts';
import { rulesOf } from '../../language/rules.ts';
import { spokenNumber } from '../../language/sums/spoken-number.ts';
import { convert, type Measured, roundMeasure } from '../../language/units/convert.ts';
import {
  createMeasureReader,
  type Measure,
  measureWordsSchema,
} from '../../language/units/measure-reader.ts';
import type { UnitName } from '../../language/units/units.ts';
import type { Ask, Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';
import { slotOf } from './slot.ts';

const said = ['measure', 'result'];

const shape = {
  intents: ['convert'],
  replies: { is: said, about: said, below_zero: [] },
  words: measureWordsSchema,
} as const;

/** One unit in another: kitchen, weather, road. */
export function createUnitsSkill({ files, numbers }: { files: LanguageFiles; numbers: NumberReader }): Skill {
  const { reply, words, ...language } = loadSkill(files, 'units', shape);
  const reader = createMeasureReader(words, numbers);
  const { formOf } = rulesOf(files);

  const inWords = (value: Fraction, unit: UnitName): string => {
    const [one, several] = words.units[unit];
    const n = spokenNumber(value, numbers.marks).text;
    return fill(words.amount, { n, unit: (formOf(n) === 'one' ? one : several) ?? unit });
  };
  const measureInWords = ({ parts }: Measure) =>
    parts.map(({ value, unit }) => inWords(value, unit)).join(' ');

  const told = (measure: Measure, to: UnitName, { turn }: Ask): string | null => {
    const exact = convert(measure, to);
    if (exact === 'below_zero') return reply(exact, {}, turn);
    // How many grams a cup is depends on what is in it.
    if (exact === 'other_quantity' || isSame(measure, to)) return null;
    const { value, isExact } = roundMeasure(exact, to);
    const values = { measure: measureInWords(measure), result: inWords(value, to) };
    return reply(isExact ? 'is' : 'about', values, turn);
  };

  const answer = (ask: Ask) => {
    const unit = reader.readUnit(ask.words('unit'), 0)?.value;
    const measure = reader.read(ask.words('measure'), 0)?.value ?? (unit && otherDegrees(ask, unit));
    return measure && unit ? told(measure, unit, ask) : null;
  };

  /** "180 degrees in Fahrenheit" are Celsius. */
  const otherDegrees = (ask: Ask, to: UnitName): Measure | undefined => {
    const unit = words.other_degrees[to];
    const degrees = reader.readDegrees(ask.words('degrees'), 0);
    if (!unit || !degrees) return undefined;
    const measured = { value: degrees.value, unit };
    return { ...measured, parts: [measured] };
  };

  return {
    name: 'units',
    ...language,
    slotTypes: {
      measure: slotOf(reader.read),
      degrees: slotOf(reader.readDegrees),
      unit: slotOf(reader.readUnit),
    },
    intents: { convert: { effect: 'none', answer } },
  };
}

function isSame(measured: Measured, to: UnitName): boolean {
  return measured.unit === to;
}
