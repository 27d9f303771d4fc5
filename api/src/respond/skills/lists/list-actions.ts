import type { StoredAction } from '../../../actions/action-store.ts';
import type { ListAction, ListName } from '../../../lists/list-action.ts';
import { type ListItem, listLimits } from '../../../lists/list-item.ts';
import { itemsOfAction, type ListAddition, type ListStore } from '../../../lists/list-store.ts';
import type { ActionKind } from '../../core/household-actions.ts';
import type { OnYes } from '../../core/household-questions.ts';
import type { TextTurn } from '../../core/responder.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { listsShape } from './lists-shape.ts';

interface ListActionsOptions {
  lists: ListStore;
  reply: SayReply<keyof (typeof listsShape)['replies']>;
  say: {
    items(all: readonly ListItem[]): string;
    apart(all: readonly ListItem[]): string;
    list(name: ListName): string;
    listStart(name: ListName): string;
    count(n: number): string;
  };
  /** Whether words mean that a task is done, not that it should leave the list. */
  ticks: (text: string) => boolean;
  /** Whether the last two items may be one. */
  mayBeOne: (items: readonly ListItem[]) => boolean;
}

interface WhatWasPut {
  ask: Ask;
  meant: ListName;
  /** The items in the request. */
  found: readonly ListItem[];
}

/**
 * Changes lists. Each change waits until the turn is confirmed, is reported from Redis' reply, and can be
 * undone.
 */
export function createListActions({ lists, reply, say, ticks, mayBeOne }: ListActionsOptions) {
  const { tellPut, tellMade, tellThere } = createListTelling({ reply, say, mayBeOne });
  const begin = async ({ turn, beginActing }: Ask, kind: ListAction['kind'], { key, name }: ListName) => {
    await beginActing();
    const action = { turn: turn.id, at: turn.createdAt, kind, list: { key, name } };
    return { conversation: turn.conversation, action };
  };

  const change = {
    put: async (ask: Ask, list: ListName, items: readonly ListItem[]) =>
      lists.put(await begin(ask, 'list.put', list), items),
    /** Replaces two items by one, and remembers them as one item. */
    async putJoined(ask: Ask, list: ListName, item: ListItem) {
      const { action, conversation } = await begin(ask, 'list.put', list);
      await lists.keepJoined(item);
      return lists.put({ action: { ...action, isJoined: true }, conversation }, [item]);
    },
    make: async (ask: Ask, list: ListName) => lists.put(await begin(ask, 'list.make', list), []),
    take: async (ask: Ask, list: ListName, items: readonly ListItem[]) => {
      const { action, conversation } = await begin(ask, 'list.take', list);
      return lists.take(
        { action: { ...action, isTicked: ticks(ask.turn.text) }, conversation },
        items.map(({ key }) => key),
      );
    },
    clear: async (ask: Ask, list: ListName, items: readonly ListItem[]) =>
      lists.take(
        await begin(ask, 'list.clear', list),
        items.map(({ key }) => key),
      ),
    remove: async (ask: Ask, list: ListName) => lists.remove(await begin(ask, 'list.remove', list)),
    rename: async (ask: Ask, list: ListName, { to, mayBeNew }: { to: ListName; mayBeNew: boolean }) =>
      lists.rename(await begin(ask, 'list.rename', list), to, mayBeNew),
  };

  /** The list may have been renamed after the question or the action. */
  const nowOf = async (list: ListName): Promise<ListName> => (await lists.find([list.key])) ?? list;

  const onYes = {
    'list.make': async ({ list, items: found }, ask) => {
      const meant = await nowOf(list);
      if (found.length === 0) return tellMade(await change.make(ask, meant), { ask, meant });
      return tellPut(await change.put(ask, meant, found), { ask, meant, found });
    },
    'list.take': async ({ list, items: requested }, ask) => {
      const meant = await nowOf(list);
      const taken = await change.take(ask, meant, requested);
      const values = { list: say.list(meant), items: say.items(taken.length > 0 ? taken : requested) };
      return reply(taken.length > 0 ? 'taken' : 'not_there', values, ask.turn);
    },
    'list.clear': async ({ list, items: requested }, ask) => {
      const meant = await nowOf(list);
      // Keep items that others have added since, because the question did not cover them.
      const taken = await change.clear(ask, meant, requested);
      const isEmpty = (await lists.read(meant.key)).length === 0;
      const values = { list: say.list(meant), items: say.items(taken.length > 0 ? taken : requested) };
      if (isEmpty) return reply('cleared', values, ask.turn);
      return reply(taken.length > 0 ? 'taken' : 'not_there', values, ask.turn);
    },
    'list.remove': async ({ list }, ask) => {
      const meant = await nowOf(list);
      await change.remove(ask, meant);
      return reply('removed', { list: say.list(meant) }, ask.turn);
    },
  } as const satisfies OnYes;

  const valuesOf = (action: ListAction, list: ListName = action.list) => {
    const items = say.apart(itemsOfAction(action));
    return { list: say.list(list), list_start: say.listStart(list), items };
  };
  const kind = (
    did: Parameters<typeof reply>[0],
    undid: Parameters<typeof reply>[0],
  ): ActionKind<ListAction> => ({
    tell: (action, turn: TextTurn) => reply(did, valuesOf(action), turn),
    async undo(found: StoredAction<ListAction>, { turn, beginActing }: Ask) {
      await beginActing();
      const list = await nowOf(found.action.list);
      const { items, isList } = await lists.undo(found, turn.conversation);
      if (found.action.isJoined) await lists.forgetJoined(items);
      const values = { ...valuesOf(found.action, list), items: say.apart(items) };
      if (items.length > 0) return reply(undid, values, turn);
      // Others have emptied a new list, so delete the list itself.
      return isList ? reply(undid === 'undid_put' ? 'undid_make' : undid, values, turn) : null;
    },
  });
  const renameKind: ActionKind<ListAction> = {
    tell: ({ list, to }, turn) => reply('did_rename', { list: say.list(list), name: to?.name ?? '' }, turn),
    async undo(found: StoredAction<ListAction>, { turn, beginActing }: Ask) {
      await beginActing();
      const { list, to = list } = found.action;
      if (!(await lists.undoRename(found, turn.conversation))) return null;
      return reply('undid_rename', { list_start: say.listStart(to), name: list.name }, turn);
    },
  };
  const actions = {
    'list.put': kind('did_put', 'undid_put'),
    'list.take': kind('did_take', 'undid_take'),
    'list.clear': kind('did_clear', 'undid_take'),
    'list.make': kind('did_make', 'undid_make'),
    'list.remove': kind('did_remove', 'undid_remove'),
    'list.rename': renameKind,
  };

  return { change, tellPut, tellMade, tellThere, onYes, actions };
}

/** Reports a change to a list. */
function createListTelling({ reply, say, mayBeOne }: Pick<ListActionsOptions, 'reply' | 'say' | 'mayBeOne'>) {
  const tellPut = (
    put: ListAddition | 'full' | 'too_many_lists',
    { ask, meant, found }: WhatWasPut,
  ): string => {
    if (put === 'too_many_lists') return reply(put, { most: listLimits.lists }, ask.turn);
    if (put === 'full')
      return reply(put, { list_start: say.listStart(meant), most: listLimits.items }, ask.turn);
    const others = found.filter(({ key }) => !put.added.some((item) => item.key === key));
    const values = { list: say.list(meant), items: say.items(put.added), others: say.items(others) };
    const added = { ...values, items: say.apart(put.added), count: say.count(put.added.length) };
    if (others.length === 0 && mayBeOne(put.added))
      return reply(put.added.length === 2 ? 'put_two' : 'put_apart', added, ask.turn);
    if (put.added.length === 0) return reply('put_again', { ...values, items: values.others }, ask.turn);
    return reply(others.length > 0 ? 'put_some' : 'put', values, ask.turn);
  };

  const tellMade = (
    made: ListAddition | 'full' | 'too_many_lists',
    { ask, meant }: Omit<WhatWasPut, 'found'>,
  ) => {
    if (made === 'full' || made === 'too_many_lists')
      return reply('too_many_lists', { most: listLimits.lists }, ask.turn);
    return made.isNewList ? reply('made', phrases(meant), ask.turn) : tellThere(ask, meant);
  };
  const tellThere = ({ turn }: Ask, list: ListName) => reply('made_already', phrases(list), turn);
  const phrases = (list: ListName) => ({ list: say.list(list), list_start: say.listStart(list) });

  return { tellPut, tellMade, tellThere };
}
