import { z } from 'zod';

/** Whether the commands of a routine that may let somebody in are really to be carried out. */
export const routineQuestionSchema = z.object({
  kind: z.literal('routine.open'),
  texts: z.array(z.string()),
});
