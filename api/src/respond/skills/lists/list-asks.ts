import { z } from 'zod';
import { listNameSchema } from '../../../lists/list-action.ts';
import type { ByKind } from '../../core/household-actions.ts';

const items = z.array(z.object({ key: z.string(), text: z.string() }));

/** Questions about lists. The first ones ask for a yes. */
export const listQuestionSchemas = [
  z.object({ kind: z.literal('list.make'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.take'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.clear'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.remove'), list: listNameSchema }),
  /** Which of these items to take off the list. */
  z.object({ kind: z.literal('list.which'), list: listNameSchema, items }),
  /** The name of a new list, or what to add and where. */
  z.object({ kind: z.literal('list.open'), of: z.enum(['make', 'put']) }),
  /** The things to add to this list. */
  z.object({ kind: z.literal('list.put'), list: listNameSchema }),
  /** The new name of a list. */
  z.object({ kind: z.literal('list.rename'), list: listNameSchema }),
] as const;

export type ListQuestion = z.infer<(typeof listQuestionSchemas)[number]>;

declare module '../../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<ListQuestion> {}
}
