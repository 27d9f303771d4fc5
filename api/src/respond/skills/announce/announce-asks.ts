import { z } from 'zod';
import { actionSchema } from '../../../actions/action-store.ts';

/** Whether this is announced all the same: in quiet hours, or everywhere instead of in a room that nobody knows. */
export const announcementQuestionSchema = z.object({
  kind: z.literal('announcement'),
  text: z.string(),
  /** null: in every room. */
  rooms: z.array(z.string()).nullable(),
});

/** Something was announced. It was heard: nothing takes it back. */
export const announcementActionSchema = actionSchema.extend({
  kind: z.literal('announcement.say'),
  text: z.string(),
});

export type AnnouncementAction = z.infer<typeof announcementActionSchema>;
