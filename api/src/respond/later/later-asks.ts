import { z } from 'zod';
import type { ByKind } from '../core/household-actions.ts';

/** A command to the house at a later time. */
const plannedSchema = z.object({
  /** One sentence per command. */
  texts: z.array(z.string()),
  /** Unix time in ms. */
  dueAt: z.number(),
  /** Whether the time was given as a duration or a time of day. */
  by: z.enum(['length', 'clock']),
});

export type Planned = z.infer<typeof plannedSchema>;

/** Asks whether to run a command later that may let someone in. */
export const laterQuestionSchema = plannedSchema.extend({ kind: z.literal('later.open') });

type LaterQuestion = z.infer<typeof laterQuestionSchema>;

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<LaterQuestion> {}
}
