import type { CommunityWords } from '../../language/community/community-words.ts';
import type { ListAction, ListName } from '../../lists/list-action.ts';
import { keyOf, listItem } from '../../lists/list-item.ts';
import type { ListStore } from '../../lists/list-store.ts';
import type { ActionKind } from '../core/household-actions.ts';
import { type Ask, intentsOf } from '../core/skill.ts';
import type { BoundIntents, CommunitySaid } from './community-skill.ts';

const { does } = intentsOf<CommunitySaid>();

interface CommunityListsOptions {
  words: CommunityWords;
  lists: ListStore;
}

/** Undoes actions of lists. */
export function communityListActions({ words, lists }: CommunityListsOptions) {
  const kind: ActionKind<ListAction> = {
    tell: () => words.own.done,
    async undo(found, { turn, beginActing }) {
      await beginActing();
      const { items, isList } = await lists.undo(found, turn.conversation);
      return items.length > 0 || isList ? words.own.done : null;
    },
  };
  return { 'list.put': kind, 'list.take': kind };
}

/** The community's intents about lists. A list with an unknown name may be for the house. */
export function createCommunityLists({ words, lists }: CommunityListsOptions): BoundIntents {
  const { own } = words;
  const shopping: ListName = { key: keyOf(own.shopping), name: own.shopping };
  const usual = async () => (await lists.find([shopping.key])) ?? shopping;
  const named = ({ name }: CommunitySaid) => (name === null ? null : lists.find([keyOf(name)]));
  const begin = async ({ turn, beginActing }: Ask, kind: ListAction['kind'], list: ListName) => {
    await beginActing();
    return {
      conversation: turn.conversation,
      action: { turn: turn.id, at: turn.createdAt, kind, list },
    };
  };
  const slotsOf = (text: string, { name }: ListName) => ({ item: text, name });

  const adding =
    (intent: string, listOf: (said: CommunitySaid) => Promise<ListName | null> | null) =>
    (response: string) =>
      does(async (ask: Ask, said: CommunitySaid) => {
        const list = await listOf(said);
        if (!list) return null;
        const item = listItem(said.item ?? '');
        if (typeof item === 'string') return own.cannot;
        const put = await lists.put(await begin(ask, 'list.put', list), [item]);
        if (put === 'full' || put === 'too_many_lists') return own.cannot;
        return words.response(intent, response, slotsOf(item.text, list)) ?? own.done;
      });
  const taking =
    (intent: string, listOf: (said: CommunitySaid) => Promise<ListName | null> | null, isTicked: boolean) =>
    (response: string) =>
      does(async (ask: Ask, said: CommunitySaid) => {
        const list = await listOf(said);
        if (!list) return null;
        const key = keyOf(said.item ?? '');
        const change = await begin(ask, 'list.take', list);
        const taken = await lists.take({ ...change, action: { ...change.action, isTicked } }, [key]);
        const [first] = taken;
        if (!first) return own.not_on_list;
        return words.response(intent, response, slotsOf(first.text, list)) ?? own.done;
      });

  return {
    HassShoppingListAddItem: adding('HassShoppingListAddItem', usual),
    HassListAddItem: adding('HassListAddItem', named),
    HassShoppingListCompleteItem: taking('HassShoppingListCompleteItem', usual, true),
    HassListCompleteItem: taking('HassListCompleteItem', named, true),
    HassListRemoveItem: taking('HassListRemoveItem', named, false),
  };
}
