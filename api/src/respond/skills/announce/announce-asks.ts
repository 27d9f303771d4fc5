import { z } from 'zod';

/** Whether this is announced all the same: in quiet hours, or everywhere instead of in a room that nobody knows. */
export const announcementQuestionSchema = z.object({
  kind: z.literal('announcement'),
  text: z.string(),
  /** null: in every room. */
  rooms: z.array(z.string()).nullable(),
});
