import { withCapital } from '../../language/capitals.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { rulesOf } from '../../language/language.ts';
import { compare, digitsOf, divide, type Fraction, isWhole, round } from '../../language/numbers/fraction.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { fill } from '../../language/phrase.ts';
import { exactly, isFault, type SumResult } from '../../language/sums/arithmetic.ts';
import { type Currency, moneySaid } from '../../language/sums/money.ts';
import { spokenNumber } from '../../language/sums/spoken-number.ts';
import type { Sum } from '../../language/sums/sum.ts';
import { sumWordsSchema } from '../../language/sums/sum-words.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { readBy, type SlotValues, slotOf } from '../core/slot.ts';

const shape = {
  replies: {
    result: ['sum', 'result'],
    about: ['sum', 'result'],
    divisible: ['sum', 'result'],
    indivisible: ['sum', 'result'],
    tip_open: [],
    ready: [],
    by_zero: [],
    no_root: [],
    too_large: [],
    not_of_money: [],
  },
  words: sumWordsSchema,
} as const;

/** Calculates sums exactly. */
export function createSumsSkill({ files, numbers }: { files: LanguageFiles; numbers: NumberReader }): Skill {
  const { reply, words, ...language } = loadSkill(files, 'sums', shape);
  const sums = rulesOf(files).createSumReader(words, numbers);

  const slots = { sum: slotOf(sums.read), number: slotOf(numbers.read), by: readBy(numbers.read) };
  const { asksBack, tells } = intentsOf<SlotValues<typeof slots>>();

  const resultText = ({ outcome, text, currency }: Sum, { turn }: Ask): string => {
    if (isFault(outcome)) return reply(outcome, {}, turn);
    const { result, isExact } = currency ? inMoney(outcome, currency) : inDigits(outcome);
    return reply(isExact ? 'result' : 'about', { sum: withCapital(text), result }, turn);
  };

  const inMoney = ({ value, isExact }: SumResult, currency: Currency) => ({
    result: moneySaid(value, currency, numbers.marks),
    isExact: isExact && compare(round(value, 2), value) === 0,
  });

  const inDigits = ({ value, isExact }: SumResult) => {
    const spoken = spokenNumber(value, numbers.marks);
    return { result: spoken.text, isExact: isExact && spoken.isExact };
  };

  /** "Is 126 divisible by 8": the answer includes the quotient. */
  const divisible = (number: Fraction, by: Fraction, { turn }: Ask): string => {
    const times = divide(number, by);
    if (!times) return reply('by_zero', {}, turn);
    const [a, b] = [digitsOf(number, numbers.marks), digitsOf(by, numbers.marks)];
    const { result } = inDigits(exactly(times));
    return reply(
      isWhole(times) ? 'divisible' : 'indivisible',
      { sum: fill(words.say.divided_by, { a, b }), result },
      turn,
    );
  };

  return defineSkill({
    name: 'sums',
    ...language,
    slots,
    intents: {
      sum: tells((ask, { sum }) => sum && resultText(sum, ask)),
      divisible: tells((ask, { number, by }) => (number && by ? divisible(number, by, ask) : null)),
      tip_open: asksBack(({ turn }) => reply('tip_open', {}, turn)),
      ready: tells(({ turn }) => reply('ready', {}, turn)),
    },
  });
}
