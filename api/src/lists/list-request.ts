import { z } from 'zod';
import type { createShownLists } from './shown-lists.ts';

/** A list request from the page, for a worker that can reach all lists. */
export const listRequestSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('all') }),
  z.object({ what: z.literal('put'), name: z.string(), items: z.array(z.string()), requestId: z.string() }),
  z.object({
    what: z.literal('rename'),
    key: z.string(),
    item: z.string().nullable(),
    text: z.string(),
    requestId: z.string(),
  }),
  z.object({
    what: z.literal('remove'),
    key: z.string(),
    item: z.string().nullable(),
    requestId: z.string(),
  }),
]);
export type ListRequest = z.infer<typeof listRequestSchema>;

const itemSchema = z.object({ key: z.string(), text: z.string() });
const listSchema = z.object({ key: z.string(), name: z.string(), items: z.array(itemSchema) });
const listRepliesSchema = {
  all: z.array(listSchema),
  put: z.object({ list: listSchema, added: z.array(itemSchema) }),
  rename: listSchema,
  remove: z.array(itemSchema),
};

/** Runs the request. Throws AppError. */
export function onLists(lists: ReturnType<typeof createShownLists>, request: ListRequest): Promise<unknown> {
  switch (request.what) {
    case 'all':
      return lists.all();
    case 'put':
      return lists.put(request.name, request.items, request.requestId);
    case 'rename':
      return lists.rename(request.key, request.item, request.text, request.requestId);
    case 'remove':
      return lists.remove(request.key, request.item, request.requestId);
  }
}

/** The same lists through a remote worker. */
export function createListRequests(ask: (request: ListRequest) => Promise<unknown>) {
  return {
    all: async () => listRepliesSchema.all.parse(await ask({ what: 'all' })),
    put: async (name: string, items: readonly string[], requestId: string) =>
      listRepliesSchema.put.parse(await ask({ what: 'put', name, items: [...items], requestId })),
    rename: async (key: string, item: string | null, text: string, requestId: string) =>
      listRepliesSchema.rename.parse(await ask({ what: 'rename', key, item, text, requestId })),
    remove: async (key: string, item: string | null, requestId: string) =>
      listRepliesSchema.remove.parse(await ask({ what: 'remove', key, item, requestId })),
  };
}
