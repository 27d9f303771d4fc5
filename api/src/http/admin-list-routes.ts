import type { Handlers } from './contract-routes.ts';

interface Item {
  key: string;
  text: string;
}

/** The household's lists, as the routes need them. */
export interface ShownLists {
  all(): Promise<{ key: string; name: string; items: Item[] }[]>;
  /** Takes an item off a list, or with null the list itself away. Returns what was on it. */
  remove(key: string, item: string | null, requestId: string): Promise<Item[]>;
}

/** The household's lists, seen and tidied. What is added is said, or asked of `/ask`. */
export function adminListRoutes({ lists }: { lists: ShownLists }): Pick<Handlers, 'getLists' | 'removeList'> {
  const shown = ({ key, text }: Item) => ({ key, text });
  return {
    async getLists() {
      const all = await lists.all();
      return { lists: all.map(({ key, name, items }) => ({ key, name, items: items.map(shown) })) };
    },

    async removeList({ path: { key }, query: { item = null }, request }) {
      return { removed: (await lists.remove(key, item, request.id)).map(shown) };
    },
  };
}
