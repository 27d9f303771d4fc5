import { z } from 'zod';
import { listNameSchema } from '../../../lists/list-action.ts';

const items = z.array(z.object({ key: z.string(), text: z.string() }));

/** Whether a list may be made with these on it, have these taken off, be emptied of these, or be taken away. */
export const listQuestionSchemas = [
  z.object({ kind: z.literal('list.make'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.take'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.clear'), list: listNameSchema, items }),
  z.object({ kind: z.literal('list.remove'), list: listNameSchema }),
] as const;

export type ListQuestion = z.infer<(typeof listQuestionSchemas)[number]>;
