import { z } from 'zod';
import { actionSchema } from '../../../actions/action-store.ts';
import type { ByKind } from '../../core/household-actions.ts';

/** Asks whether to announce anyway: in quiet hours, or everywhere instead of in an unknown room. */
export const announcementQuestionSchema = z.object({
  kind: z.literal('announcement'),
  text: z.string(),
  /** null: every room. */
  rooms: z.array(z.string()).nullable(),
});

/** Asks for the text. */
export const announcementTextQuestionSchema = z.object({
  kind: z.literal('announcement.text'),
  /** The words for the rooms, as the person said them. null: every room. */
  rooms: z.string().nullable(),
});

/** An announcement. People have heard it, so it cannot be undone. */
export const announcementActionSchema = actionSchema.extend({
  kind: z.literal('announcement.say'),
  text: z.string(),
});

export type AnnouncementAction = z.infer<typeof announcementActionSchema>;

type AnnouncementQuestion =
  | z.infer<typeof announcementQuestionSchema>
  | z.infer<typeof announcementTextQuestionSchema>;

declare module '../../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<AnnouncementAction> {}
}

declare module '../../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<AnnouncementQuestion> {}
}
