import { z } from 'zod';

const texts = z.array(z.string());

/** Words around a reason that comes with a request. */
const reasonWordsSchema = z.strictObject({
  /** A reason follows these in any words: "BECAUSE it is dark". */
  because: texts,
  /** A reason follows these if it is a statement: "SO I can see". */
  so: texts,
  /** First words of a statement. */
  statements: texts,
  /** Between a statement and the request that follows from it: "it is dark, SO turn on the light". */
  therefore: texts,
  /** Words of a report, a condition or a denial: the sentence then requests nothing, or nothing now. */
  reports: texts,
  /** With one of these, a statement after a pause is a request: "the volume SHOULD be low". */
  demands: texts,
  /** A statement about a thing needs one of these verbs: "the pasta IS on", not "the sauce for 20". */
  things: z.strictObject({ first: texts, verbs: texts }).default({ first: [], verbs: [] }),
  /** A request after a statement must not contain these, because they may refer to the statement. */
  pointing: texts,
});

export type ReasonWords = z.infer<typeof reasonWordsSchema>;

/** The contents of `skills/several.yaml`. */
export const severalShape = {
  replies: { none_done: ['text'], one_by_one: [], which_time: [] },
  words: z.strictObject({
    joints: texts,
    carried: texts,
    puts_off: texts,
    wakes: texts,
    /**
     * First words of a request that a reminder's text never takes in. English has none: "remind me to call
     * mum and SET an alarm" may be one reminder.
     */
    commands: texts.default([]),
    reasons: reasonWordsSchema,
  }),
} as const;
