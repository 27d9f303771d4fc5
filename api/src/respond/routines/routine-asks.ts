import { z } from 'zod';
import type { ByKind } from '../core/household-actions.ts';

/** Asks whether to run a routine's commands that may let someone in. */
export const routineQuestionSchema = z.object({
  kind: z.literal('routine.open'),
  texts: z.array(z.string()),
});

type RoutineQuestion = z.infer<typeof routineQuestionSchema>;

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<RoutineQuestion> {}
}
