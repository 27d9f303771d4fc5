import { joined } from '../../../language/phrase.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { Ask } from '../../core/skill.ts';
import { type ListMeaning, type ListSaid, listIntents } from './list-meaning.ts';
import type { ListTalk } from './list-talk.ts';

const { asksBack, tells } = listIntents;

interface ListQuestionsOptions {
  talk: ListTalk;
  meaning: ListMeaning;
  lists: ListStore;
}

export type ListQuestions = ReturnType<typeof createListQuestions>;

/** Answers questions about lists, and changes nothing. */
export function createListQuestions({ talk, meaning, lists }: ListQuestionsOptions) {
  const { reply, words, names, things, say } = talk;
  const { knownList, unknownList, isAlways, itemsOf } = meaning;

  const read = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    return meant ? (await talk.read(ask, meant)).said : unknownList(ask, slots);
  };

  const count = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    if (!meant) return unknownList(ask, slots);
    const n = (await lists.read(meant.key)).length;
    if (n === 0) return reply('is_empty', { list_start: say.listStart(meant) }, ask.turn);
    return reply(n === 1 ? 'count_one' : 'count', { count: say.count(n), list: say.list(meant) }, ask.turn);
  };

  const has = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    if (!meant) return unknownList(ask, slots);
    const requested = await itemsOf(ask, slots.items, meant);
    if (!Array.isArray(requested)) return null;
    const there = await lists.read(meant.key);
    const found = requested.flatMap((item) => things.find(there, item));
    const others = say.items(requested.filter((item) => things.find(there, item).length === 0));
    const values = { list: say.list(meant), list_start: say.listStart(meant) };
    if (found.length === 0) return reply('has_not', { ...values, items: others }, ask.turn);
    return reply(
      others === '' ? 'has' : 'has_some',
      { ...values, items: say.items(found), others },
      ask.turn,
    );
  };

  const first = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    if (!meant) return unknownList(ask, slots);
    const items = (await lists.read(meant.key)).slice(0, 1);
    if (items.length === 0) return reply('is_empty', { list_start: say.listStart(meant) }, ask.turn);
    return reply('first', { list: say.list(meant), items: say.items(items) }, ask.turn);
  };

  const allNames = async ({ turn }: Ask) => {
    return reply('names', { lists: await allLists() }, turn);
  };
  /** A follow-up may name the list. */
  const whichList = async ({ turn }: Ask) => reply('which_list', { lists: await allLists() }, turn);
  const allLists = async () => {
    const own = (await lists.names()).filter((each) => !isAlways(each));
    const renamed = await Promise.all(names.always.map(talk.isRenamed));
    return joined([...names.always.filter((_, at) => !renamed[at]), ...own].map(say.list), words);
  };

  const intents = {
    read: tells(read),
    read_deeds: tells(async (ask) => (await talk.read(ask, await talk.current(names.tasks))).said),
    first: tells(first),
    count: tells(count),
    has: tells(has),
    names: tells(allNames),
    remove_open: asksBack(whichList),
  };
  return { intents, read, count, has };
}
