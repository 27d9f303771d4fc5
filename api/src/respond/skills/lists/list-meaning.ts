import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { ListName } from '../../../lists/list-action.ts';
import type { ListItem } from '../../../lists/list-item.ts';
import { type Ask, intentsOf } from '../../core/skill.ts';
import { type SlotValues, slotOf, wordsIn } from '../../core/slot.ts';
import { createRankReader } from './list-rank.ts';
import type { ListTalk } from './list-talk.ts';

/** More items mean that someone is reading aloud. */
const maxAtOnce = 50;

/** The slot values of the lists' sentences. */
export function createListSlots({ names, words }: Pick<ListTalk, 'names' | 'words'>, numbers: NumberReader) {
  const listSlot = {
    read: (said: readonly Word[]) => ({
      meant: names.readBare(said, 0)?.value ?? null,
      isOurs: names.isOurs(said),
      /** Keys of a list with the spoken name itself, which may also be an alias of a built-in list. */
      keys: names.keysOf(said),
    }),
  };
  return {
    list: listSlot,
    items: wordsIn(),
    /** Further items in the same sentence, and their list. */
    others: wordsIn(),
    second: listSlot,
    own: wordsIn(),
    /** A new name for a list. */
    to: wordsIn(),
    /** An explicit name: "the list called camping". */
    titled: wordsIn(),
    rank: slotOf(createRankReader(numbers, words)),
  };
}

export type ListSaid = SlotValues<ReturnType<typeof createListSlots>>;

/** Makes intents of lists. */
export const listIntents = intentsOf<ListSaid>();

export type ListMeaning = ReturnType<typeof createListMeaning>;

/** Finds the list and the items. */
export function createListMeaning(talk: Pick<ListTalk, 'names' | 'known' | 'current' | 'itemsIn' | 'reply'>) {
  const { names, reply } = talk;

  /** The default list if none is named: "what do we need to buy". */
  const listOf = async ({ list }: ListSaid): Promise<ListName | null> =>
    list === null ? talk.current(names.usual) : list.meant && talk.current(list.meant, list.keys);

  const knownList = async (said: ListSaid): Promise<ListName | null> => {
    const meant = await listOf(said);
    return meant && talk.known(meant.key);
  };
  const noList = async ({ turn }: Ask, said: ListSaid): Promise<string | null> => {
    const meant = await listOf(said);
    return meant && reply('no_list', { name: meant.name }, turn);
  };
  const isAlways = ({ key }: ListName) => names.always.some((each) => each.key === key);

  return {
    listOf,
    knownList,
    /** "My camping list" is unknown. "The guest list" may mean something else, so that question passes on. */
    unknownList: async (ask: Ask, said: ListSaid) => (said.list?.isOurs ? noList(ask, said) : null),
    isAlways,
    /**
     * Null refusal: the words name no item, so the sentence is not for lists. `isOpen`: they stand for one,
     * such as "something".
     */
    async itemsOf(
      { turn }: Ask,
      items: readonly Word[] | null,
      meant: ListName,
    ): Promise<ListItem[] | { refusal: string | null; isOpen?: true }> {
      const found = await talk.itemsIn({ text: turn.text, said: items ?? [], list: meant });
      if (found === 'no_thing') return { refusal: null };
      if (typeof found === 'string')
        return found === 'empty' || found === 'not_items'
          ? { refusal: reply('not_items', {}, turn), isOpen: true }
          : { refusal: reply(found, {}, turn) };
      return found.length > maxAtOnce ? { refusal: reply('too_many', { most: maxAtOnce }, turn) } : found;
    },

    noList,
  };
}
