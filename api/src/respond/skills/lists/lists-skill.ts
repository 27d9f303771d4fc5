import type { Word } from '../../../language/grammar/words.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { joined } from '../../../language/phrase.ts';
import type { ListName } from '../../../lists/list-action.ts';
import { type ListItem, listLimits } from '../../../lists/list-item.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { AskedBack } from '../../asked-back.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../skill.ts';
import { type SaidIn, typeOf, wordsIn } from '../slot.ts';
import type { ListQuestion } from './list-asks.ts';
import { createListTalk } from './list-talk.ts';

/** More at once is no shopping, but somebody reading aloud. */
const mostAtOnce = 50;

interface ListsOptions {
  files: LanguageFiles;
  lists: ListStore;
  asked: AskedBack;
}

/** The household's lists: shopping, to-do and its own. */
export function createListsSkill({ files, lists, asked }: ListsOptions): Skill {
  const talk = createListTalk({ files, lists });
  const { reply, words, language, names, things, say, change, tellPut, onYes, actions } = talk;

  const slots = {
    list: { read: (said: readonly Word[]) => ({ meant: names.read(said, 0)?.value ?? null }) },
    items: wordsIn(),
    own: wordsIn(),
  };
  type Said = SaidIn<typeof slots>;
  const { tells, does, asksBack } = intentsOf<Said>();

  /** Where none is named it is the usual one: "what do we need to buy". */
  const listOf = ({ list }: Said) => (list === null ? names.usual : list.meant);

  /** Of a list nobody knows nothing is told: "what is on the guest list" may be meant otherwise. */
  const knownList = async (said: Said): Promise<ListName | null> => {
    const meant = listOf(said);
    return meant && talk.known(meant.key);
  };
  const isAlways = ({ key }: ListName) => names.always.some((each) => each.key === key);

  /** Asks for a yes; where nobody can come back with one, nothing is done. */
  const askBack = async ({ turn }: Ask, question: ListQuestion, said: string) => {
    if (turn.conversation === null) return reply('cannot_ask', {}, turn);
    await asked.note(turn, question);
    return said;
  };

  /** Null refusal: what was said is no thing, and so none of our business. */
  const itemsOf = (
    { turn }: Ask,
    { items }: Said,
    meant: ListName,
  ): ListItem[] | { refusal: string | null } => {
    const found = things.read(turn.text, items ?? [], meant);
    if (found === 'no_thing') return { refusal: null };
    if (typeof found === 'string')
      return { refusal: reply(found === 'empty' ? 'not_items' : found, {}, turn) };
    return found.length > mostAtOnce ? { refusal: reply('too_many', { most: mostAtOnce }, turn) } : found;
  };

  const put = async (ask: Ask, slots: Said) => {
    const meant = listOf(slots);
    if (!meant) return null;
    const found = itemsOf(ask, slots, meant);
    if (!Array.isArray(found)) return found.refusal;
    if (await knownList(slots)) return tellPut(await change.put(ask, meant, found), { ask, meant, found });
    const said = reply('shall_make', { name: meant.name, items: say.items(found) }, ask.turn);
    return askBack(ask, { kind: 'list.make', list: meant, items: found }, said);
  };

  const take = async (ask: Ask, slots: Said) => {
    const meant = await knownList(slots);
    if (!meant) return noList(ask, slots);
    const asked = itemsOf(ask, slots, meant);
    if (!Array.isArray(asked)) return asked.refusal;
    return (await talk.take(ask, meant, asked)).said;
  };

  const noList = (ask: Ask, slots: Said) => {
    const meant = listOf(slots);
    return meant && reply('no_list', { name: meant.name }, ask.turn);
  };

  const empty = (ask: Ask, kind: 'list.clear' | 'list.remove') => async (meant: ListName) => {
    const there = await lists.read(meant.key);
    const count = there.length;
    const values = { list: say.list(meant), count: say.count(count) };
    const removal = { kind: 'list.remove', list: meant } as const;
    if (kind === 'list.remove' && count === 0) return onYes['list.remove'](removal, ask);
    if (count === 0) return reply('is_empty', { list_start: say.listStart(meant) }, ask.turn);
    if (kind === 'list.remove') return askBack(ask, removal, reply('shall_remove', values, ask.turn));
    return askBack(ask, { kind, list: meant, items: there }, reply('shall_clear', values, ask.turn));
  };

  const clear = async (ask: Ask, slots: Said) => {
    const meant = await knownList(slots);
    return meant ? empty(ask, 'list.clear')(meant) : noList(ask, slots);
  };
  /** The lists that there always are can be emptied, and that is what is meant. */
  const remove = async (ask: Ask, slots: Said) => {
    const { own } = slots;
    const meant = own ? names.readName(own) : listOf(slots);
    if (!meant) return null;
    if (isAlways(meant)) return empty(ask, 'list.clear')(meant);
    const known = (await lists.names()).find(({ key }) => key === meant.key);
    if (known) return empty(ask, 'list.remove')(known);
    // "The list from last week" is the name of none that one could know.
    return own ? null : reply('no_list', { name: meant.name }, ask.turn);
  };

  const read = async (ask: Ask, slots: Said) => {
    const meant = await knownList(slots);
    return meant && (await talk.read(ask, meant)).said;
  };

  const count = async (ask: Ask, slots: Said) => {
    const meant = await knownList(slots);
    if (!meant) return null;
    const n = (await lists.read(meant.key)).length;
    if (n === 0) return reply('is_empty', { list_start: say.listStart(meant) }, ask.turn);
    return reply(n === 1 ? 'count_one' : 'count', { count: say.count(n), list: say.list(meant) }, ask.turn);
  };

  const has = async (ask: Ask, slots: Said) => {
    const meant = await knownList(slots);
    const asked = meant && itemsOf(ask, slots, meant);
    if (!meant || !Array.isArray(asked)) return null;
    const there = await lists.read(meant.key);
    const found = asked.flatMap((item) => things.find(there, item) ?? []);
    const others = say.items(asked.filter((item) => !things.find(there, item)));
    const values = { list: say.list(meant), list_start: say.listStart(meant) };
    if (found.length === 0) return reply('has_not', { ...values, items: others }, ask.turn);
    return reply(
      others === '' ? 'has' : 'has_some',
      { ...values, items: say.items(found), others },
      ask.turn,
    );
  };

  const allNames = async ({ turn }: Ask) => {
    const own = (await lists.names()).filter((each) => !isAlways(each));
    return reply('names', { lists: joined([...names.always, ...own].map(say.list), words) }, turn);
  };

  const make = async (ask: Ask, { own }: Said) => {
    const meant = names.readName(own ?? []);
    if (isAlways(meant)) return reply('made_already', { list: say.list(meant) }, ask.turn);
    const made = await change.make(ask, meant);
    if (made === 'full' || made === 'too_many_lists')
      return reply('too_many_lists', { most: listLimits.lists }, ask.turn);
    return reply(made.isNewList ? 'made' : 'made_already', { list: say.list(meant) }, ask.turn);
  };

  return defineSkill({
    name: 'lists',
    ...language,
    slots,
    slotTypes: {
      list: { ...typeOf(names.read), costPerWord: 3 },
      ...things.slots,
      name: names.nameSlot,
    },
    intents: {
      put: does(put),
      take: does(take),
      make: does(make),
      // What it is for may still come.
      make_open: asksBack(({ turn }) => reply('make_open', {}, turn)),
      // These ask back first.
      clear: tells(clear),
      remove: tells(remove),
      read: tells(read),
      count: tells(count),
      has: tells(has),
      names: tells(allNames),
    },
    onYes,
    actions,
  });
}
