import { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';
import { exposedIn } from './home-exposed.ts';
import type { HomeFact } from './home-facts-reader.ts';
import type { HomeSocket } from './home-socket.ts';
import { sayable } from './home-templates.ts';

/** The bits of a list's `supported_features`. */
const features = { add: 1, remove: 2, change: 4 } as const;

/** A to-do list of Home Assistant. */
interface TodoList {
  id: string;
  name: string;
  canAdd: boolean;
  canRemove: boolean;
  /** Entries can be ticked off and renamed. */
  canChange: boolean;
}

const itemsSchema = z.object({
  service_response: z.record(
    z.string(),
    z.object({ items: z.array(z.object({ uid: z.string().nullish(), summary: z.string() })) }),
  ),
});

/** An entry that is not ticked off. */
interface TodoItem {
  /** Identifies the entry; its text if the list gives no id. */
  uid: string;
  text: string;
}

interface TodoListsOptions extends Pick<HomeCalls, 'post'> {
  socket: Pick<HomeSocket, 'ask'>;
  facts: (domain: string, signal: AbortSignal) => Promise<HomeFact[]>;
}

/** Reads and changes to-do lists. Every function throws HomeError. */
export function createTodoLists({ post, socket, facts }: TodoListsOptions) {
  const serve = (service: string, body: object, signal: AbortSignal) =>
    post(`/api/services/todo/${service}`, body, { signal, isOnce: true });

  return {
    /** The lists exposed to Assist. */
    async lists(signal: AbortSignal): Promise<TodoList[]> {
      const [found, exposed] = await Promise.all([
        facts('todo', signal),
        exposedIn('todo', { socket, signal }),
      ]);
      return found.flatMap(({ entity_id: id, state, attributes }) => {
        const name = sayable(attributes.friendly_name);
        const can = (bit: number) => (attributes.supported_features & bit) > 0;
        if (name === '' || state === 'unavailable' || !exposed.includes(id)) return [];
        return [
          {
            id,
            name,
            canAdd: can(features.add),
            canRemove: can(features.remove),
            canChange: can(features.change),
          },
        ];
      });
    },

    /** The open entries of a list, in list order. */
    async listItems(id: string, signal: AbortSignal): Promise<TodoItem[]> {
      const filter = { entity_id: id, status: ['needs_action'] };
      const answer = await post('/api/services/todo/get_items?return_response', filter, { signal });
      const found = parseHome(itemsSchema, answer).service_response[id]?.items ?? [];
      return found.map(({ uid, summary }) => ({ uid: uid ?? summary, text: summary }));
    },

    addListItem: (id: string, text: string, signal: AbortSignal) =>
      serve('add_item', { entity_id: id, item: text }, signal),

    removeListItems: (id: string, uids: readonly string[], signal: AbortSignal) =>
      serve('remove_item', { entity_id: id, item: uids }, signal),

    /** Ticks an entry off, reopens it, or renames it. */
    changeListItem: (
      id: string,
      uid: string,
      change: { isDone?: boolean; text?: string },
      signal: AbortSignal,
    ) => {
      const { isDone, text } = change;
      return serve(
        'update_item',
        {
          entity_id: id,
          item: uid,
          ...(isDone !== undefined && { status: isDone ? 'completed' : 'needs_action' }),
          ...(text !== undefined && { rename: text }),
        },
        signal,
      );
    },
  };
}
