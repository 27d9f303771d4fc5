import { z } from 'zod';

/** Asks whether to run a routine's commands that may let someone in. */
export const routineQuestionSchema = z.object({
  kind: z.literal('routine.open'),
  texts: z.array(z.string()),
});
