import { setTimeout as delay } from 'node:timers/promises';
import type { ActionNotes } from '../actions/action-notes.ts';
import { AppError } from '../errors.ts';
import type { ListAction, ListName } from './list-action.ts';
import { keyOf, type ListItem, listLimits } from './list-item.ts';
import { itemsOfAction, type ListChange, type ListStore } from './list-store.ts';

/** A list that another program keeps. */
export interface RemoteList extends ListName {
  id: string;
  canAdd: boolean;
  canRemove: boolean;
  /** Its entries can be checked off and renamed. */
  canChange: boolean;
}

interface RemoteItem {
  uid: string;
  text: string;
}

/** The lists of another program. All calls throw AppError. */
export interface RemoteLists {
  all(): Promise<RemoteList[]>;
  /** Entries that are not checked off. */
  items(list: RemoteList): Promise<RemoteItem[]>;
  add(list: RemoteList, text: string): Promise<void>;
  remove(list: RemoteList, uids: readonly string[]): Promise<void>;
  change(list: RemoteList, uid: string, change: { isDone?: boolean; text?: string }): Promise<void>;
}

/** Short, so that a slow program does not delay lists that it does not keep. */
const maxWaitMs = 1_000;

interface ListsAnywhereOptions {
  own: ListStore;
  /** Null: all lists are our own. */
  far: () => RemoteLists | null;
  /** Whether our list of the same name, if it has entries, keeps its name. */
  isOursFirst: () => boolean;
  notes: Pick<ActionNotes<ListAction>, 'note' | 'mark' | 'unmark'>;
}

interface Found {
  lists: RemoteLists;
  list: RemoteList;
}

/**
 * The household's lists, ours or another program's. A foreign list replaces our list of the same name.
 * No script can change and record a foreign list atomically. So the list changes first, then the change is
 * recorded, even a partial one.
 */
export function createListsAnywhere({ own, far, isOursFirst, notes }: ListsAnywhereOptions) {
  /** The other program's lists from its last answer. */
  let last: readonly RemoteList[] = [];
  /** Without an answer, use the last known lists: each reports the failure itself. */
  const all = async (lists: RemoteLists): Promise<readonly RemoteList[]> => {
    const fetched = lists.all().then((found) => {
      last = found;
    });
    try {
      await (isOursFirst() ? Promise.race([fetched, delay(maxWaitMs, undefined, { ref: false })]) : fetched);
    } catch (error) {
      if (!isOursFirst()) throw error;
    }
    return last;
  };
  const { itemsOf, put, take, undo } = createFarChanges(notes);
  const find = async (is: (list: RemoteList) => boolean): Promise<Found | null> => {
    const lists = far();
    const list = lists === null ? undefined : (await all(lists)).find(is);
    return lists === null || list === undefined ? null : { lists, list };
  };
  const isOurs = async (key: string) => isOursFirst() && (await own.read(key)).length > 0;
  const byKey = async (key: string) => {
    const found = await find((list) => list.key === key);
    return found !== null && (await isOurs(key)) ? null : found;
  };
  const named = async (wanted: readonly string[]): Promise<ListName | null> => {
    const ours = await own.named(wanted);
    const theirs = far() === null ? undefined : last.find(({ key }) => wanted.includes(key));
    return ours ?? (theirs ? { key: theirs.key, name: theirs.name } : null);
  };

  const store: ListStore = {
    ...own,
    called: () => (far() === null ? [] : last),
    async put(change, items) {
      const found = await byKey(change.action.list.key);
      return found ? put(change, found, items) : own.put(change, items);
    },
    async take(change, keys) {
      const found = keys.length === 0 ? null : await byKey(change.action.list.key);
      return found ? take(change, found, keys) : own.take(change, keys);
    },
    async remove(change) {
      const found = await byKey(change.action.list.key);
      return found ? take(change, found, null) : own.remove(change);
    },
    async renameItem(key, item, to) {
      const found = await byKey(key);
      if (!found) return own.renameItem(key, item, to);
      const there = await itemsOf(found);
      const before = there.find((each) => each.key === item);
      if (!before) return 'gone';
      if (to.key !== item && there.some((each) => each.key === to.key)) return 'taken';
      if (!found.list.canChange) throw cannot(found.list);
      await found.lists.change(found.list, before.uid, { text: to.text });
      return 'renamed';
    },
    async rename(change, to, mayBeNew) {
      const found = await byKey(change.action.list.key);
      if (found) throw new AppError('not_possible', 'Rename a list of Home Assistant in Home Assistant.');
      return own.rename(change, to, mayBeNew);
    },
    named,
    find: async (wanted) => (await named(wanted)) ?? own.find(wanted),
    async undo(recorded, conversation) {
      const { action } = recorded;
      if (action.far === undefined) return own.undo(recorded, conversation);
      const found = await find(({ id }) => id === action.far);
      if (!found || !(await notes.mark(recorded, conversation))) return { items: [], isList: false };
      try {
        return { items: await undo(found, action), isList: false };
      } catch (error) {
        await notes.unmark(recorded, conversation);
        throw error;
      }
    },
    async read(key) {
      const found = await byKey(key);
      if (!found) return own.read(key);
      return (await itemsOf(found)).map(({ key: item, text }) => ({ key: item, text }));
    },
    async names() {
      const lists = far();
      const others = lists === null ? [] : await all(lists);
      const ours = await own.names();
      const isOther = ({ key }: ListName) => !ours.some((list) => list.key === key);
      return [...ours, ...others.filter(isOther).map(({ key, name }) => ({ key, name }))];
    },
    isFixed: async (key) => (await byKey(key)) !== null,
  };

  return {
    ...store,
    /** Reads the other program's lists, so that their names are known before a sentence. */
    async learn(): Promise<void> {
      const lists = far();
      if (lists !== null) await all(lists).catch(() => undefined);
    },
  };
}

/** Changes foreign lists, and records each change for undo. */
function createFarChanges(notes: ListsAnywhereOptions['notes']) {
  const itemsOf = async ({ lists, list }: Found) =>
    (await lists.items(list)).flatMap(({ uid, text }) => {
      const key = keyOf(text);
      return key === '' ? [] : [{ uid, key, text }];
    });
  type There = Awaited<ReturnType<typeof itemsOf>>;

  const note = async ({ action, conversation }: ListChange, { list }: Found, items: readonly ListItem[]) => {
    if (items.length === 0) return;
    const noted = items.map(({ key, text }, order) => ({ key, text, order }));
    await notes.note({ ...action, far: list.id, items: noted, isWhole: false }, conversation);
  };
  /** Runs one by one, and records what succeeded before a failure. */
  const eachOf = async <Item extends ListItem>(
    change: ListChange,
    { found, items, act }: { found: Found; items: readonly Item[]; act: (item: Item) => Promise<void> },
  ): Promise<void> => {
    const done: Item[] = [];
    try {
      for (const item of items) {
        await act(item);
        done.push(item);
      }
    } finally {
      await note(change, found, done);
    }
  };

  const put = async (change: ListChange, found: Found, items: readonly ListItem[]) => {
    const { lists, list } = found;
    if (!list.canAdd) throw cannot(list);
    const there = await itemsOf(found);
    const added = items.filter(({ key }) => !there.some((item) => item.key === key));
    if (there.length + added.length > listLimits.items) return 'full' as const;
    await eachOf(change, { found, items: added, act: ({ text }) => lists.add(list, text) });
    return { added, isNewList: false };
  };
  const takeAll = async (change: ListChange, found: Found, taken: There): Promise<ListItem[]> => {
    const { lists, list } = found;
    const isTicked = change.action.isTicked === true || !list.canRemove;
    if (isTicked && list.canChange) {
      const act = ({ uid }: There[number]) => lists.change(list, uid, { isDone: true });
      await eachOf({ ...change, action: { ...change.action, isTicked: true } }, { found, items: taken, act });
    } else if (list.canRemove) {
      const uids = taken.map(({ uid }) => uid);
      if (uids.length > 0) await lists.remove(list, uids);
      await note({ ...change, action: { ...change.action, isTicked: false } }, found, taken);
    } else throw cannot(list);
    return taken.map(({ key, text }) => ({ key, text }));
  };
  const take = async (change: ListChange, found: Found, keys: readonly string[] | null) => {
    const there = await itemsOf(found);
    return takeAll(
      change,
      found,
      there.filter(({ key }) => keys === null || keys.includes(key)),
    );
  };

  /** Undoes a change without touching what people have added or removed since. */
  const undo = async (found: Found, action: ListAction): Promise<ListItem[]> => {
    const { lists, list } = found;
    const there = await itemsOf(found);
    const items = itemsOfAction(action);
    const isThere = ({ key }: ListItem) => there.some((item) => item.key === key);
    if (action.kind === 'list.put' || action.kind === 'list.make') {
      const gone = there.filter(({ key }) => items.some((item) => item.key === key));
      await takeAll({ action: { ...action, isTicked: false }, conversation: null }, found, gone);
      return gone;
    }
    const missing = items.filter((item) => !isThere(item));
    for (const { text } of missing) {
      if (action.isTicked) await lists.change(list, text, { isDone: false });
      else await lists.add(list, text);
    }
    return missing;
  };

  return { itemsOf, put, take, undo };
}

function cannot({ name }: RemoteList): AppError {
  return new AppError('not_possible', `Home Assistant cannot do that with its list ${name}.`);
}
