import { z } from 'zod';
import { actionSchema, type NewAction } from '../actions/action-store.ts';

export const listNameSchema = z.object({ key: z.string(), name: z.string() });

/** A list by its key and its spoken name. */
export type ListName = z.infer<typeof listNameSchema>;

/** A change of a list, with the added or removed items. */
export const listActionSchema = actionSchema.extend({
  kind: z.enum(['list.put', 'list.make', 'list.take', 'list.clear', 'list.remove', 'list.rename']),
  list: listNameSchema,
  /** The new name of a renamed list. */
  to: listNameSchema.optional(),
  /** `order` is an item's place in the list. */
  items: z.array(z.object({ key: z.string(), text: z.string(), order: z.number() })),
  /** The list itself was added or removed, too. */
  isWhole: z.boolean(),
  /** The items were checked off instead of removed, if the list distinguishes them. */
  isTicked: z.boolean().optional(),
  /** The item was two items before. */
  isJoined: z.boolean().optional(),
  /** The id of a list that another program keeps. */
  far: z.string().optional(),
});

export type ListAction = z.infer<typeof listActionSchema>;

/** A list action before it runs. Its changes are known only afterwards. */
export type NewListAction = Omit<NewAction<ListAction>, 'items' | 'isWhole'>;
