import { z } from 'zod';

/** A command to the house for another time. */
export const plannedSchema = z.object({
  /** One sentence for each of several commands. */
  texts: z.array(z.string()),
  /** Unix time in ms. */
  dueAt: z.number(),
  /** Whether it was asked for as a length or as a time of day. */
  by: z.enum(['length', 'clock']),
});

export type Planned = z.infer<typeof plannedSchema>;

/** Whether a command that may let somebody in is really to be carried out later. */
export const laterQuestionSchema = plannedSchema.extend({ kind: z.literal('later.open') });
