import { z } from 'zod';
import { actionSchema, type NewAction } from '../actions/action-store.ts';

export const listNameSchema = z.object({ key: z.string(), name: z.string() });

/** A list by its key and its name as it is said. */
export type ListName = z.infer<typeof listNameSchema>;

/** A change of a list, with what came there or went. */
export const listActionSchema = actionSchema.extend({
  kind: z.enum(['list.put', 'list.make', 'list.take', 'list.clear', 'list.remove']),
  list: listNameSchema,
  /** `order` is an item's place in the list. */
  items: z.array(z.object({ key: z.string(), text: z.string(), order: z.number() })),
  /** The list itself came or went with them. */
  isWhole: z.boolean(),
  /** They were ticked off rather than taken away, where there is a difference. */
  isTicked: z.boolean().optional(),
  /** The id of a list that another program keeps. */
  far: z.string().optional(),
});

export type ListAction = z.infer<typeof listActionSchema>;

/** An action on a list before it is done; its changes are known only afterwards. */
export type NewListAction = Omit<NewAction<ListAction>, 'items' | 'isWhole'>;
