import { z } from 'zod';
import { phraseSchema } from '../phrase.ts';

const said = z.array(z.string()).min(1);
const [of, ofTwo] = [phraseSchema(['a']), phraseSchema(['a', 'b'])];

/** The words of sums, in questions and in answers. */
export const sumWordsSchema = z.strictObject({
  plus: said,
  minus: said,
  times: said,
  divided_by: said,
  to_the_power_of: said,
  squared: said,
  cubed: said,
  square_root: said,
  cube_root: said,
  percent: said,
  of: said,
  off: said,
  half: said,
  double: said,
  triple: said,
  pairs: z.array(
    z.strictObject({
      begin: said,
      between: said,
      /** Words that may follow the second number: "between four people". */
      followed_by: said.optional(),
      /** Words after a second number without a word before it: "four ways". */
      ways: said.optional(),
      operation: z.enum(['plus', 'minus', 'times', 'divided_by', 'remainder']),
      /** The second spoken number comes first in the sum. */
      swapped: z.literal(true).optional(),
    }),
  ),
  /** "a tip FOR 62 AT 18 percent": an amount before its rate. */
  rated: z.strictObject({ begin: said, between: said }).optional(),
  money: z.array(z.strictObject({ names: said, cents: said, amount: of, one: of.optional() })),
  and: said,
  say: z.strictObject({
    plus: ofTwo,
    minus: ofTwo,
    times: ofTwo,
    divided_by: ofTwo,
    remainder: ofTwo,
    to_the_power_of: ofTwo,
    squared: of,
    cubed: of,
    square_root: of,
    cube_root: of,
    percent: of,
    of: ofTwo,
    fractions: z.record(z.string().regex(/^\d+\/\d+$/), z.string()),
  }),
});

export type SumWords = z.infer<typeof sumWordsSchema>;
export type SumPair = SumWords['pairs'][number];
