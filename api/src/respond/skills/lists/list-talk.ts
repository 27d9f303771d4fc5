import type { Word } from '../../../language/grammar/words.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { rulesOf } from '../../../language/language.ts';
import { fill, joined } from '../../../language/phrase.ts';
import type { ListName } from '../../../lists/list-action.ts';
import { keyOf, type ListItem } from '../../../lists/list-item.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import { loadSkill } from '../../core/skill-language.ts';
import { createListActions } from './list-actions.ts';
import { createItemReader, createListReader } from './list-words.ts';
import { listsShape } from './lists-shape.ts';

/** A list up to this length is read out at once. For a longer one, the reply gives its length first. */
const shortList = 7;

interface ListTalkOptions {
  files: LanguageFiles;
  lists: ListStore;
  /** The list that the household chose for sentences that name none. Null: the usual one of the language. */
  defaultList: () => string | null;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
}

export type ListTalk = ReturnType<typeof createListTalk>;

/** Changes lists and words the answers, for the skill and the language model. */
export function createListTalk({ files, lists, defaultList, pendingQuestions }: ListTalkOptions) {
  const { reply, words, ...language } = loadSkill(files, 'lists', listsShape);
  const { formOf } = rulesOf(files);
  const names = createListReader(words, lists.called);
  const things = createItemReader(words);
  const say = {
    items: (all: readonly ListItem[]) =>
      joined(
        all.map(({ text }) => text),
        words,
      ),
    /** Separates the last two clearly if they may sound like one: "salt, and vinegar chips". */
    apart: (all: readonly ListItem[]) =>
      joined(
        all.map(({ text }) => text),
        things.mayBeOne(all) ? { ...words, last: `${words.between.trimEnd()}${words.last}` } : words,
      ),
    list: names.called,
    listStart: names.startingCalled,
    count: (n: number) => fill(formOf(n) === 'one' ? words.thing : words.things, { n }),
  };
  const ticks = (text: string): boolean => {
    const said = text.toLowerCase().split(/[^\p{L}]+/u);
    return words.ticks.some((word) => said.includes(word));
  };
  const actions = createListActions({ lists, reply, say, ticks, mayBeOne: things.mayBeOne });

  const renamed = async (list: ListName): Promise<ListName> => (await lists.find([list.key])) ?? list;
  /** The list, if it is built in or exists, even if it was renamed. */
  const known = async (key: string): Promise<ListName | null> => {
    const isIt = (list: ListName) => list.key === key;
    const found = (await lists.find([key])) ?? names.always.find(isIt);
    return found ?? (await lists.names()).find(isIt) ?? null;
  };
  /** The list that replaces a missing one: the default list, or another program's for the to-do list. */
  const insteadOf = (meant: ListName, chosen: ListName | null): ListName => {
    if (meant.key === names.tasks.key) return names.otherTasks() ?? meant;
    const isBuiltIn = names.always.some(({ key }) => key === chosen?.key);
    return isBuiltIn ? meant : (chosen ?? meant);
  };
  /**
   * A list by its current name. A list with one of these keys comes first. The default list replaces the
   * usual one if the sentence names none. It also replaces a missing one, unless it is built in too.
   */
  const current = async (meant: ListName, spokenKeys: readonly string[] = []): Promise<ListName> => {
    const key = meant.key === names.usual.key ? keyOf(defaultList() ?? '') : '';
    const chosen = key === '' ? null : await known(key);
    if (chosen && spokenKeys.length === 0) return chosen;
    const found = await lists.find([...spokenKeys, meant.key]);
    return found ?? insteadOf(meant, chosen);
  };
  /** The built-in list that was renamed to this name. The task list stays one under any name. */
  const builtInOf = async (list: ListName): Promise<ListName> => {
    const today = await Promise.all(names.always.map(renamed));
    return names.always.find((_, at) => today[at]?.key === list.key) ?? list;
  };

  const askWhich = async ({ turn }: Ask, list: ListName, items: ListItem[]): Promise<string> => {
    if (turn.conversation !== null) await pendingQuestions.note(turn, { kind: 'list.which', list, items });
    return reply('several', { list: say.list(list), items: say.items(items) }, turn);
  };

  return {
    reply,
    askWhich,
    lists,
    words,
    language,
    names,
    things,
    say,
    ...actions,

    current,
    known,

    /** Whether a built-in list has another name now. */
    isRenamed: async (list: ListName) => (await renamed(list)).key !== list.key,

    /** The items in a sentence. Words that the household has joined before stay one item. */
    async itemsIn(said: { text: string; said: readonly Word[]; list: ListName }) {
      const hasAnd = said.said.some(({ word }) => words.and.includes(word));
      const list = await builtInOf(said.list);
      if (!hasAnd) return things.read({ ...said, list });
      const there = (await lists.read(said.list.key)).filter(things.isPair).map(({ key }) => key);
      return things.read({ ...said, list }, [...there, ...(await lists.joined())]);
    },

    /** Removes these items. Returns those that were on the list, and the words to report it. */
    async take(ask: Ask, meant: ListName, requested: readonly ListItem[]) {
      const there = await lists.read(meant.key);
      const meantBy = requested.map((item) => ({ item, found: things.find(there, item) }));
      const unclear = meantBy.find(({ found }) => found.length > 1);
      if (unclear) return { taken: [], said: await askWhich(ask, meant, unclear.found) };
      const found = meantBy.flatMap((each) => each.found);
      // Another person may have removed them meanwhile.
      const taken = found.length > 0 ? await actions.change.take(ask, meant, found) : [];
      const isTaken = (items: readonly ListItem[]) =>
        taken.some(({ key }) => items.some((item) => item.key === key));
      const others = say.items(meantBy.filter((each) => !isTaken(each.found)).map(({ item }) => item));
      const list = say.list(meant);
      if (taken.length === 0) return { taken, said: reply('not_there', { list, items: others }, ask.turn) };
      const values = { list, others, items: say.items(taken) };
      return { taken, said: reply(others === '' ? 'taken' : 'taken_some', values, ask.turn) };
    },

    /** The items on a list, and the words to read them out. */
    async read(ask: Ask, meant: ListName) {
      const items = await lists.read(meant.key);
      if (items.length === 0)
        return { items, said: reply('is_empty', { list_start: say.listStart(meant) }, ask.turn) };
      const values = { list: say.list(meant), items: say.items(items), count: say.count(items.length) };
      return { items, said: reply(items.length > shortList ? 'read_long' : 'read', values, ask.turn) };
    },
  };
}
