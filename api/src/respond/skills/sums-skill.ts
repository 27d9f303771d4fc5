import { withCapital } from '../../language/capitals.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { fill } from '../../language/phrase.ts';
import { isFault } from '../../language/sums/arithmetic.ts';
import { spokenNumber } from '../../language/sums/spoken-number.ts';
import { createSumReader, type Sum } from '../../language/sums/sum-reader.ts';
import { sumWordsSchema } from '../../language/sums/sum-words.ts';
import type { Ask, Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';
import { slotOf } from './slot.ts';

const shape = {
  intents: ['sum'],
  replies: { result: ['sum', 'result'], about: ['sum', 'result'], by_zero: [], no_root: [], too_large: [] },
  words: sumWordsSchema,
} as const;

/** Sums, worked out exactly. */
export function createSumsSkill({ files, numbers }: { files: LanguageFiles; numbers: NumberReader }): Skill {
  const { reply, words, ...language } = loadSkill(files, 'sums', shape);
  const sums = createSumReader(words, numbers);

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

  return {
    name: 'sums',
    ...language,
    slotTypes: { sum: slotOf(sums.read) },
    intents: {
      sum: {
        effect: 'none',
        answer(ask) {
          const sum = sums.read(ask.words('sum'), 0);
          return sum && told(sum.value, ask);
        },
      },
    },
  };
}
