import { z } from 'zod';
import type { Action, Recorded } from '../../../actions/action-store.ts';
import { type ListItem, listLimits } from '../../../lists/list-item.ts';
import { itemsOfAction, type ListName, type ListStore, type Put } from '../../../lists/list-store.ts';
import type { AskedTurn } from '../../responder.ts';
import type { ActionKind, Ask, OnYes } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { listsShape } from './lists-shape.ts';

const itemsSchema = z.array(z.object({ key: z.string(), text: z.string() }));

interface ListActionsOptions {
  lists: ListStore;
  reply: SayReply<keyof (typeof listsShape)['replies']>;
  say: {
    items(all: readonly ListItem[]): string;
    list(name: ListName): string;
    listStart(name: ListName): string;
  };
}

interface WhatWasPut {
  ask: Ask;
  meant: ListName;
  /** What was asked to be put there. */
  found: readonly ListItem[];
}

/** What changes lists: each change waits until the turn is certain, is told from what Redis says, and can be taken back. */
export function createListActions({ lists, reply, say }: ListActionsOptions) {
  const begin = async ({ turn, certain }: Ask, kind: string, list: ListName) => {
    await certain();
    const about = { key: list.key, name: list.name };
    return {
      list,
      conversation: turn.conversation,
      action: { turn: turn.id, at: turn.createdAt, kind, about },
    };
  };

  const change = {
    put: async (ask: Ask, list: ListName, items: readonly ListItem[]) =>
      lists.put(await begin(ask, 'list.put', list), items),
    make: async (ask: Ask, list: ListName) => lists.put(await begin(ask, 'list.make', list), []),
    take: async (ask: Ask, list: ListName, items: readonly ListItem[]) =>
      lists.take(
        await begin(ask, 'list.take', list),
        items.map(({ key }) => key),
      ),
    clear: async (ask: Ask, list: ListName, items: readonly ListItem[]) =>
      lists.take(
        await begin(ask, 'list.clear', list),
        items.map(({ key }) => key),
      ),
    remove: async (ask: Ask, list: ListName) => lists.remove(await begin(ask, 'list.remove', list)),
  };

  const tellPut = (put: Put | 'full' | 'too_many_lists', { ask, meant, found }: WhatWasPut): string => {
    if (put === 'too_many_lists') return reply(put, { most: listLimits.lists }, ask.turn);
    if (put === 'full')
      return reply(put, { list_start: say.listStart(meant), most: listLimits.items }, ask.turn);
    const others = found.filter(({ key }) => !put.added.some((item) => item.key === key));
    const values = { list: say.list(meant), items: say.items(put.added), others: say.items(others) };
    if (put.added.length === 0) return reply('put_again', { ...values, items: values.others }, ask.turn);
    return reply(others.length > 0 ? 'put_some' : 'put', values, ask.turn);
  };

  const onYes = {
    'list.make': async (about, ask) => {
      const [meant, found] = [nameIn(about), itemsSchema.parse(JSON.parse(about['items'] ?? '[]'))];
      return tellPut(await change.put(ask, meant, found), { ask, meant, found });
    },
    'list.clear': async (about, ask) => {
      const [meant, asked] = [nameIn(about), itemsSchema.parse(JSON.parse(about['items'] ?? '[]'))];
      // What others have put there since nobody was asked about.
      const taken = await change.clear(ask, meant, asked);
      const isEmpty = (await lists.read(meant.key)).length === 0;
      const values = { list: say.list(meant), items: say.items(taken.length > 0 ? taken : asked) };
      if (isEmpty) return reply('cleared', values, ask.turn);
      return reply(taken.length > 0 ? 'taken' : 'not_there', values, ask.turn);
    },
    'list.remove': async (about, ask) => {
      await change.remove(ask, nameIn(about));
      return reply('removed', { list: say.list(nameIn(about)) }, ask.turn);
    },
  } as const satisfies Record<string, OnYes>;

  const valuesOf = (action: Action) => {
    const list = nameIn(action.about);
    const items = say.items(itemsOfAction(action));
    return { list: say.list(list), list_start: say.listStart(list), items };
  };
  const kind = (did: Parameters<typeof reply>[0], undid: Parameters<typeof reply>[0]): ActionKind => ({
    tell: (action, turn: AskedTurn) => reply(did, valuesOf(action), turn),
    async undo(found: Recorded, { turn, certain }: Ask) {
      await certain();
      const place = { list: nameIn(found.action.about), conversation: turn.conversation };
      const { items, isList } = await lists.undo(found, place);
      const values = { ...valuesOf(found.action), items: say.items(items) };
      if (items.length > 0) return reply(undid, values, turn);
      // All that was on a new list others have taken off: what goes is the list.
      return isList ? reply(undid === 'undid_put' ? 'undid_make' : undid, values, turn) : null;
    },
  });
  const actions = {
    'list.put': kind('did_put', 'undid_put'),
    'list.take': kind('did_take', 'undid_take'),
    'list.clear': kind('did_clear', 'undid_take'),
    'list.make': kind('did_make', 'undid_make'),
    'list.remove': kind('did_remove', 'undid_remove'),
  };

  return { change, tellPut, onYes, actions };
}

function nameIn(about: Readonly<Record<string, string>>): ListName {
  return { key: about['key'] ?? '', name: about['name'] ?? '' };
}
