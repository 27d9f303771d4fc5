import type { ListItem } from './list-item.ts';
import type { ListStore } from './list-store.ts';

/** The lists as somebody sees and tidies them who does not speak: nothing of it is said to be undone. */
export function createShownLists({ lists, now = Date.now }: { lists: ListStore; now?: () => number }) {
  return {
    /** All lists with what is on them, by name. */
    async all() {
      const names = await lists.names();
      const whole = await Promise.all(
        names.map(async ({ key, name }) => ({ key, name, items: await lists.read(key) })),
      );
      return whole.toSorted((one, other) => one.name.localeCompare(other.name));
    },

    /** Takes an item off a list, or with null the list itself away. Returns what was on it. */
    async remove(key: string, item: string | null, requestId: string): Promise<ListItem[]> {
      const action = { turn: requestId, at: now(), kind: 'list.take', list: { key, name: key } } as const;
      const change = { action, conversation: null };
      return item === null ? await lists.remove(change) : await lists.take(change, [item]);
    },
  };
}
