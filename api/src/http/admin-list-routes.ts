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

/** The household's lists as these routes need them. */
interface ShownLists {
  all(): Promise<ShownList[]>;
  /** Adds items to a list and creates the list if it does not exist. */
  put(name: string, items: readonly string[], requestId: string): Promise<{ list: ShownList; added: Item[] }>;
  /** Renames an item, or the list itself when `item` is null. */
  rename(key: string, item: string | null, text: string, requestId: string): Promise<ShownList>;
  /** Removes an item, or the whole list when `item` is null. Returns the removed items. */
  remove(key: string, item: string | null, requestId: string): Promise<Item[]>;
}

type ListHandlers = Pick<Handlers, 'getLists' | 'putOnList' | 'renameList' | 'removeList'>;

/** Reads and changes the household's lists. `lists` returns the list store in use now. */
export function adminListRoutes({ lists }: { lists: () => ShownLists }): ListHandlers {
  return {
    async getLists() {
      return { lists: await lists().all() };
    },

    async putOnList({ body: { name, items }, request }) {
      return await lists().put(name, items, request.id);
    },

    async renameList({ path: { key }, query: { item = null }, body: { text }, request }) {
      return { list: await lists().rename(key, item, text, request.id) };
    },

    async removeList({ path: { key }, query: { item = null }, request }) {
      return { removed: await lists().remove(key, item, request.id) };
    },
  };
}
