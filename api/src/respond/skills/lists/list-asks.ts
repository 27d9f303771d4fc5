import { z } from 'zod';
import { listNameSchema } from '../../../lists/list-action.ts';
import type { ByKind } from '../../core/household-actions.ts';

const items = z.array(z.object({ key: z.string(), text: z.string() }));

/** Asks whether to make a list with these items, remove these, empty it of these, or delete it. */
export const listQuestionSchemas = [
  z.object({ kind: z.literal('list.make'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.take'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.clear'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.remove'), list: listNameSchema }),
] as const;

export type ListQuestion = z.infer<(typeof listQuestionSchemas)[number]>;

declare module '../../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<ListQuestion> {}
}
