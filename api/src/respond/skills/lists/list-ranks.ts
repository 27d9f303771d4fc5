import type { ListItem } from '../../../lists/list-item.ts';
import type { Ask } from '../../core/skill.ts';
import { type ListMeaning, type ListSaid, listIntents } from './list-meaning.ts';
import type { ListRank } from './list-rank.ts';
import type { ListTalk } from './list-talk.ts';

const { does, tells } = listIntents;

interface ListRanksOptions {
  talk: ListTalk;
  meaning: ListMeaning;
}

/** Removes or reads the item at a position, because people refer to items by the order they just heard. */
export function createListRanks({ talk, meaning }: ListRanksOptions) {
  const { reply, say } = talk;

  /** Passes the item at a position to a function. */
  const at = (then: (ask: Ask, list: NonNullable<Known>, item: ListItem) => Promise<string>) => {
    return async (ask: Ask, slots: ListSaid): Promise<string | null> => {
      const list = await meaning.knownList(slots);
      if (!list) return meaning.noList(ask, slots);
      const there = await talk.lists.read(list.key);
      const item = itemAt(there, slots.rank);
      if (item) return await then(ask, list, item);
      const values = { list_start: say.listStart(list), count: say.count(there.length) };
      return reply(there.length === 0 ? 'is_empty' : 'no_place', values, ask.turn);
    };
  };

  return {
    take_at: does(at(async (ask, list, item) => (await talk.take(ask, list, [item])).said)),
    read_at: tells(
      at(async (ask, list, item) =>
        reply('at_place', { list: say.list(list), items: say.items([item]) }, ask.turn),
      ),
    ),
  };
}

type Known = Awaited<ReturnType<ListMeaning['knownList']>>;

function itemAt(items: readonly ListItem[], place: ListRank | null): ListItem | undefined {
  if (!place) return undefined;
  return place.nth === null ? items.at(-1) : items[place.nth - 1];
}
