import { z } from 'zod';

const askedSchema = z.object({
  entity_id: z.string(),
  item: z.union([z.string(), z.array(z.string())]).optional(),
  status: z.union([z.enum(['needs_action', 'completed']), z.array(z.string())]).optional(),
  rename: z.string().optional(),
});

interface Entry {
  uid: string;
  summary: string;
  status: string;
}

/** Home Assistant's to-do lists; an entry is addressed by its id or its words. */
export function createFakeLists() {
  const lists = new Map<string, Entry[]>();
  let last = 0;
  const entriesOf = (list: string): Entry[] => {
    const found = lists.get(list) ?? [];
    lists.set(list, found);
    return found;
  };
  const put = (list: string, texts: readonly string[]): void => {
    for (const summary of texts) {
      last += 1;
      entriesOf(list).push({ uid: `entry-${last}`, summary, status: 'needs_action' });
    }
  };
  const services: Readonly<Record<string, (asked: z.infer<typeof askedSchema>) => unknown>> = {
    get_items: ({ entity_id, status }) => {
      const items = entriesOf(entity_id).filter((each) => status?.includes(each.status));
      return { changed_states: [], service_response: { [entity_id]: { items } } };
    },
    add_item: ({ entity_id, item }) => put(entity_id, [item ?? []].flat()),
    remove_item: ({ entity_id, item }) => {
      const isMeant = isIn([item ?? []].flat());
      lists.set(
        entity_id,
        entriesOf(entity_id).filter((entry) => !isMeant(entry)),
      );
    },
    update_item: ({ entity_id, item, status, rename }) => {
      for (const entry of entriesOf(entity_id).filter(isIn([item ?? []].flat()))) {
        entry.status = typeof status === 'string' ? status : entry.status;
        entry.summary = rename ?? entry.summary;
      }
    },
  };
  return {
    put,
    of: (list: string) =>
      entriesOf(list).map(({ summary, status }) => (status === 'completed' ? `${summary} (done)` : summary)),
    clear: () => lists.clear(),
    serve(service: string, asked: unknown): unknown {
      const name = service.slice('todo/'.length).split('?')[0] ?? '';
      return services[name]?.(askedSchema.parse(asked)) ?? [];
    },
  };
}

const isIn = (named: readonly string[]) => (entry: Entry) =>
  named.includes(entry.uid) || named.includes(entry.summary);
