import type { Handlers } from './contract-routes.ts';

interface Item {
  key: string;
  text: string;
}

interface ShownList {
  key: string;
  name: string;
  items: Item[];
}

/** The household's lists, as the routes need them. */
export interface ShownLists {
  all(): Promise<ShownList[]>;
  /** Puts things on a list, which is made if there is none. */
  put(name: string, items: readonly string[], requestId: string): Promise<{ list: ShownList; added: Item[] }>;
  /** Gives an item other words, or with null the list itself another name. */
  rename(key: string, item: string | null, text: string): Promise<ShownList>;
  /** Takes an item off a list, or with null the list itself away. Returns what was on it. */
  remove(key: string, item: string | null, requestId: string): Promise<Item[]>;
}

type ListHandlers = Pick<Handlers, 'getLists' | 'putOnList' | 'renameList' | 'removeList'>;

/** The household's lists, seen and changed by hand. `lists`: those that count at this moment. */
export function adminListRoutes({ lists }: { lists: () => ShownLists }): ListHandlers {
  return {
    async getLists() {
      return { lists: await lists().all() };
    },

    async putOnList({ body: { name, items }, request }) {
      return await lists().put(name, items, request.id);
    },

    async renameList({ path: { key }, query: { item = null }, body: { text } }) {
      return { list: await lists().rename(key, item, text) };
    },

    async removeList({ path: { key }, query: { item = null }, request }) {
      return { removed: await lists().remove(key, item, request.id) };
    },
  };
}
