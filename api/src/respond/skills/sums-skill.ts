import { withCapital } from '../../language/capitals.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { fill } from '../../language/phrase.ts';
import { rulesOf } from '../../language/rules.ts';
import { isFault } from '../../language/sums/arithmetic.ts';
import { spokenNumber } from '../../language/sums/spoken-number.ts';
import type { Sum } from '../../language/sums/sum.ts';
import { sumWordsSchema } from '../../language/sums/sum-words.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';
import { type SaidIn, slotOf } from './slot.ts';

const shape = {
  replies: { result: ['sum', 'result'], about: ['sum', 'result'], by_zero: [], no_root: [], too_large: [] },
  words: sumWordsSchema,
} as const;

/** Sums, worked out exactly. */
export function createSumsSkill({ files, numbers }: { files: LanguageFiles; numbers: NumberReader }): Skill {
  const { reply, words, ...language } = loadSkill(files, 'sums', shape);
  const sums = rulesOf(files).createSumReader(words, numbers);

  const slots = { sum: slotOf(sums.read) };
  const { tells } = intentsOf<SaidIn<typeof slots>>();

  const told = ({ outcome, text }: Sum, { turn }: Ask): string => {
    if (isFault(outcome)) return reply(outcome, {}, turn);
    const spoken = spokenNumber(outcome.value, numbers.marks);
    const result =
      spoken.powerOfTen === null
        ? spoken.text
        : fill(words.say.power_of_ten, { a: spoken.text, b: spoken.powerOfTen });
    const sum = withCapital(text);
    return reply(outcome.isExact && spoken.isExact ? 'result' : 'about', { sum, result }, turn);
  };

  return defineSkill({
    name: 'sums',
    ...language,
    slots,
    intents: { sum: tells((ask, { sum }) => sum && told(sum, ask)) },
  });
}
