import { AppError } from '../errors.ts';
import { compareNames } from '../name-order.ts';
import type { ListName } from './list-action.ts';
import { type ItemFault, isSafe, keyOf, type ListItem, listItem, listLimits } from './list-item.ts';
import type { ListRename, ListStore } from './list-store.ts';

/** The lists for the page. Changes made there cannot be undone by voice. */
export function createShownLists({ lists }: { lists: ListStore }) {
  const one = async ({ key, name }: ListName) => ({ key, name, items: await lists.read(key) });
  const named = async (key: string) => (await lists.names()).find((each) => each.key === key);
  return {
    /** All lists with their items, sorted by name. */
    async all() {
      const whole = await Promise.all((await lists.names()).map(one));
      return whole.toSorted((first, other) => compareNames(first.name, other.name));
    },

    /** Adds items to a list and creates it if needed. All are added, or none. */
    async put(name: string, texts: readonly string[], requestId: string) {
      const list = listName(name, 'name');
      const items = texts.map((text, at) => item(text, `items.${at}`));
      const action = { turn: requestId, at: Date.now(), kind: 'list.put', list } as const;
      const put = await lists.put({ action, conversation: null }, items);
      if (put === 'full') {
        throw new AppError('not_possible', `A list holds at most ${listLimits.items} things.`);
      }
      if (put === 'too_many_lists') {
        throw new AppError('not_possible', `There can be at most ${listLimits.lists} lists.`);
      }
      return { list: await one((await named(list.key)) ?? list), added: put.added };
    },

    /** Renames an item, or the list itself if `itemKey` is null. */
    async rename(key: string, itemKey: string | null, text: string, requestId: string) {
      const list = itemKey === null ? listName(text, 'text') : { key, name: key };
      const action = {
        turn: requestId,
        at: Date.now(),
        kind: 'list.rename',
        list: { key, name: key },
      } as const;
      const renamed =
        itemKey === null
          ? await lists.rename({ action, conversation: null }, list)
          : await lists.renameItem(key, itemKey, item(text, 'text'));
      refuse(renamed, itemKey === null ? 'list' : 'thing');
      return await one((await named(list.key)) ?? list);
    },

    /** Removes an item, or the list itself if `itemKey` is null. Returns the removed items. */
    async remove(key: string, itemKey: string | null, requestId: string): Promise<ListItem[]> {
      const action = {
        turn: requestId,
        at: Date.now(),
        kind: 'list.take',
        list: { key, name: key },
      } as const;
      const change = { action, conversation: null };
      return itemKey === null ? await lists.remove(change) : await lists.take(change, [itemKey]);
    },
  };
}

function item(text: string, param: string): ListItem {
  const read = listItem(text);
  if (typeof read === 'string') throw refused(read, param);
  return read;
}

function listName(said: string, param: string): ListName {
  const name = said.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const key = keyOf(name);
  const fault = key === '' ? 'empty' : isSafe(said) ? null : 'not_words';
  if (fault !== null) throw refused(fault, param);
  if (name.length > listLimits.nameCharacters) throw refused('too_long', param);
  return { key, name };
}

function refused(fault: ItemFault, param: string): AppError {
  if (fault === 'empty') return new AppError('invalid_request', 'It needs a word.', { param });
  if (fault === 'too_long') return new AppError('invalid_request', 'That is too long.', { param });
  return new AppError('invalid_request', 'It may contain text, but no markup.', { param });
}

function refuse(renamed: ListRename, what: 'list' | 'thing'): void {
  if (renamed === 'gone') throw new AppError('not_found', `There is no such ${what}.`);
  if (renamed === 'taken')
    throw new AppError('not_possible', `There is already a ${what} with this name.`, { param: 'text' });
}
