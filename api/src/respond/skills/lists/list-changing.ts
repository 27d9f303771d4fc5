import { actionId, turnOfAction } from '../../../actions/action-store.ts';
import { withCapital } from '../../../language/capitals.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { ListName } from '../../../lists/list-action.ts';
import { keyOf, type ListItem, listItem } from '../../../lists/list-item.ts';
import { itemsOfAction, type ListStore } from '../../../lists/list-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { ListQuestion } from './list-asks.ts';
import { type ListMeaning, type ListSaid, listIntents } from './list-meaning.ts';
import type { ListTalk } from './list-talk.ts';

const { asksBack, does, tells } = listIntents;

interface ListChangingOptions {
  talk: ListTalk;
  meaning: ListMeaning;
  lists: ListStore;
  pendingQuestions: HouseholdQuestions;
  actions: Pick<HouseholdActions, 'latest'>;
}

/** Asks for a yes to a change, and notes the question. */
type AskBack = (ask: Ask, question: ListQuestion, said: string) => Promise<string>;

export type ListChanging = ReturnType<typeof createListChanging>;

/** Adds and removes items, makes and deletes lists. */
export function createListChanging({ talk, meaning, lists, pendingQuestions, actions }: ListChangingOptions) {
  const { reply, names, say, change, tellPut } = talk;
  const { listOf, knownList, isAlways, itemsOf, noList } = meaning;

  /** Asks for a yes; if no one can answer, nothing changes. */
  const askBack: AskBack = async ({ turn }, question, said) => {
    if (turn.conversation === null) return reply('cannot_ask', {}, turn);
    await pendingQuestions.note(turn, question);
    return said;
  };

  const put = async (ask: Ask, slots: ListSaid) => {
    const meant = await listOf(slots);
    if (!meant) return null;
    const found = await itemsOf(ask, slots.items, meant);
    if (!Array.isArray(found)) {
      if (found.isOpen !== true || ask.turn.conversation === null) return found.refusal;
      await pendingQuestions.note(ask.turn, { kind: 'list.put', list: meant });
      return reply('put_what', {}, ask.turn);
    }
    if (await knownList(slots)) return tellPut(await change.put(ask, meant, found), { ask, meant, found });
    const said = reply('shall_make', { name: meant.name, items: say.items(found) }, ask.turn);
    return askBack(ask, { kind: 'list.make', list: meant, items: found }, said);
  };

  const take = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    if (!meant) return noList(ask, slots);
    const requested = await itemsOf(ask, slots.items, meant);
    if (!Array.isArray(requested)) return requested.refusal;
    return (await talk.take(ask, meant, requested)).said;
  };

  const { noNeed, missing, putBare, takeExcept } = createOffers({ talk, meaning, lists, askBack });
  const { both, replace } = createBoth({ talk, meaning });
  const empty = createEmptying({ talk, lists, askBack });

  const clear = async (ask: Ask, slots: ListSaid) => {
    const meant = await knownList(slots);
    return meant ? empty(ask, 'list.clear', meant) : noList(ask, slots);
  };
  /** The built-in lists cannot be deleted. People who ask for it want them emptied. */
  const remove = async (ask: Ask, slots: ListSaid) => {
    const { own } = slots;
    const name = own ?? slots.titled;
    const meant = name ? await talk.current(names.readName(name), names.keysOf(name)) : await listOf(slots);
    if (!meant) return null;
    if (isAlways(meant)) return empty(ask, 'list.clear', meant);
    const known = (await lists.names()).find(({ key }) => key === meant.key);
    // A Home Assistant list stays.
    if (known && (await lists.isFixed(known.key))) return empty(ask, 'list.clear', known);
    if (known) return empty(ask, 'list.remove', known);
    // "The list from last week" names no known list.
    return own ? null : reply('no_list', { name: meant.name }, ask.turn);
  };

  const { make, makeOf } = createMaking({ talk, meaning, lists, askBack });
  const rename = createRenaming({ talk, meaning, lists, actions });
  const intents = {
    put: does(put),
    take: does(take),
    put_together: does(createJoining({ talk, actions })),
    put_put: does(both('put', 'put')),
    put_take: does(both('put', 'take')),
    take_put: does(both('take', 'put')),
    take_except: tells(takeExcept),
    no_need: tells(noNeed),
    missing: tells(missing),
    put_bare: tells(putBare),
    make_of: tells(makeOf),
    make: does(make),
    rename: does(rename),
    // The name may follow: "make a list".
    rename_open: asksBack(async (ask, slots) => {
      const meant = await knownList(slots);
      if (!meant) return null;
      await pendingQuestions.note(ask.turn, { kind: 'list.rename', list: meant });
      return reply('rename_open', { list: say.list(meant) }, ask.turn);
    }),
    make_open: asksBack(async ({ turn }) => {
      await pendingQuestions.note(turn, { kind: 'list.open', of: 'make' });
      return reply('make_open', {}, turn);
    }),
    put_open: asksBack(async ({ turn }) => {
      await pendingQuestions.note(turn, { kind: 'list.open', of: 'put' });
      return reply('put_open', {}, turn);
    }),
    // These intents ask first.
    clear: tells(clear),
    remove: tells(remove),
  };
  return { intents, put, take, rename, noNeed, missing, clear, replace, swap: both('take', 'put') };
}

/** Offers a change after words that are no command, and asks for a yes. */
function createOffers({
  talk,
  meaning,
  lists,
  askBack,
}: Pick<ListChangingOptions, 'talk' | 'meaning' | 'lists'> & { askBack: AskBack }) {
  const { reply, names, say } = talk;
  const { knownList, itemsOf, noList } = meaning;

  /** "We no longer need milk" is not a command, and does not concern items that are on no list. */
  const noNeed = async (ask: Ask, slots: ListSaid) => {
    const usual = await talk.current(names.usual);
    const wanted = await itemsOf(ask, slots.items, usual);
    if (!Array.isArray(wanted)) return null;
    const there = await lists.read(usual.key);
    const found = wanted.map((item) => talk.things.find(there, item));
    if (found.some(({ length }) => length !== 1)) return null;
    const items = found.flat();
    const said = reply('shall_take', { list: say.list(usual), items: say.items(items) }, ask.turn);
    return askBack(ask, { kind: 'list.take', list: usual, items }, said);
  };

  /** "We are out of milk" is not a command either, but may be meant as one. */
  const missing = async (ask: Ask, slots: ListSaid) => {
    const usual = await talk.current(names.usual);
    const wanted = await itemsOf(ask, slots.items, usual);
    if (!Array.isArray(wanted)) return null;
    const there = await lists.read(usual.key);
    const values = { list: say.list(usual), items: say.items(wanted) };
    if (wanted.every((item) => talk.things.find(there, item).length > 0))
      return reply('put_again', values, ask.turn);
    const said = reply('shall_put', values, ask.turn);
    return askBack(ask, { kind: 'list.make', list: usual, items: wanted }, said);
  };

  /** "Shopping list: milk" has no verb. The list of tasks is not asked for: "to-do list tips". */
  const putBare = async (ask: Ask, slots: ListSaid) => {
    // "List three fruits" names no list.
    if (slots.list?.keys.length === 0) return null;
    const meant = await knownList(slots);
    if (!meant || meant.key === names.tasks.key) return null;
    const wanted = await itemsOf(ask, slots.items, meant);
    if (!Array.isArray(wanted)) return null;
    const said = reply('shall_put', { list: say.list(meant), items: say.items(wanted) }, ask.turn);
    return askBack(ask, { kind: 'list.make', list: meant, items: wanted }, said);
  };

  /** "Everything except the milk". Nothing is taken if one of the kept things is not there. */
  const takeExcept = async (ask: Ask, slots: ListSaid) => {
    const list = await knownList(slots);
    if (!list) return noList(ask, slots);
    const kept = await itemsOf(ask, slots.items, list);
    if (!Array.isArray(kept)) return kept.refusal;
    const there = await lists.read(list.key);
    const lacking = kept.filter((item) => talk.things.find(there, item).length === 0);
    const values = { list: say.list(list), items: say.items(lacking) };
    // Without a list, it may be about something else.
    if (lacking.length > 0) return slots.list && reply('not_there', values, ask.turn);
    const keys = new Set(kept.flatMap((item) => talk.things.find(there, item)).map(({ key }) => key));
    const items = there.filter(({ key }) => !keys.has(key));
    if (items.length === 0) return reply('read', { ...values, items: say.items(there) }, ask.turn);
    const said = reply('shall_take', { ...values, items: say.items(items) }, ask.turn);
    return askBack(ask, { kind: 'list.take', list, items }, said);
  };

  return { noNeed, missing, putBare, takeExcept };
}

type Change = 'put' | 'take';

/** Two changes in one sentence, in spoken order. Both run, or neither if one is unclear. */
function createBoth({ talk, meaning }: Pick<ListChangingOptions, 'talk' | 'meaning'>) {
  const { change, tellPut } = talk;
  const { knownList, itemsOf, noList } = meaning;

  const act = async (ask: Ask, kind: Change, list: ListName, items: readonly ListItem[]) => {
    if (kind === 'take') return (await talk.take(ask, list, items)).said;
    return tellPut(await change.put(ask, list, items), { ask, meant: list, found: items });
  };
  const both = (one: Change, other: Change) => async (ask: Ask, slots: ListSaid) => {
    const second: ListSaid = slots.second === null ? slots : { ...slots, list: slots.second };
    const [list, otherList] = [await knownList(slots), await knownList(second)];
    if (!list) return noList(ask, slots);
    if (!otherList) return noList(ask, second);
    const items = await itemsOf(ask, slots.items, list);
    if (!Array.isArray(items)) return items.refusal;
    const others = await itemsOf(ask, slots.others, otherList);
    if (!Array.isArray(others)) return others.refusal;
    const first = await act(partOf(ask, `1 ${one}`), one, list, items);
    return `${first} ${await act(partOf(ask, `2 ${other}`), other, otherList, others)}`;
  };

  /** Takes items off a list and adds others. */
  const replace = async (
    ask: Ask,
    list: ListName,
    { wrong, right }: { wrong: readonly ListItem[]; right: readonly ListItem[] },
  ): Promise<string> => {
    const [one, other] = ['take', 'put'] as const;
    const taken = await act(partOf(ask, `1 ${one}`), one, list, wrong);
    return `${taken} ${await act(partOf(ask, `2 ${other}`), other, list, right)}`;
  };

  return { both, replace };
}

/** A turn makes each change once, so each part needs a separate id. */
function partOf(ask: Ask, part: string): Ask {
  return { ...ask, turn: { ...ask.turn, id: actionId(ask.turn.id, part) } };
}

/** Joins the last two items of the previous sentence: "that's one item". */
function createJoining({ talk, actions }: Pick<ListChangingOptions, 'talk' | 'actions'>) {
  const { change, words, say, reply } = talk;

  /** The last two items that the previous turn added. */
  const lastTwo = async ({ turn, exchanges }: Ask) => {
    const [newest] = await actions.latest(turn);
    const action = newest?.action;
    if (action?.kind !== 'list.put' || action.undoneAt !== undefined) return null;
    if (turnOfAction(action) !== exchanges.at(-1)?.turn) return null;
    const items = itemsOfAction(action).slice(-2);
    const list = (await talk.known(action.list.key)) ?? action.list;
    return items.length === 2 ? { list, items } : null;
  };

  return async (ask: Ask, { items: named }: ListSaid): Promise<string | null> => {
    const found = await lastTwo(ask);
    if (!found) return null;
    const { list, items } = found;
    const whole = listItem(items.map(({ text }) => text).join(words.last));
    if (typeof whole === 'string') return reply(whole === 'empty' ? 'not_items' : whole, {}, ask.turn);
    if (named && whole.key !== keyOf(joinedWords(named))) return null;
    await change.take(partOf(ask, 'parts'), list, items);
    const put = await change.putJoined(partOf(ask, 'joined'), list, whole);
    if (typeof put === 'string') return talk.tellPut(put, { ask, meant: list, found: [whole] });
    return reply('put_together', { list: say.list(list), items: whole.text }, ask.turn);
  };
}

/** Gives a list another name: "rename the shopping list to groceries". */
function createRenaming({
  talk,
  meaning,
  lists,
  actions,
}: Pick<ListChangingOptions, 'talk' | 'meaning' | 'lists' | 'actions'>) {
  const { change, names, say, reply } = talk;

  /** "The list" is the one that was changed last. */
  const justChanged = async ({ turn }: Ask) => {
    const [newest] = await actions.latest(turn);
    const action = newest?.action;
    return action && 'list' in action ? talk.known(action.list.key) : null;
  };

  const rename = async (ask: Ask, list: ListName, to: ListName) => {
    const isBuiltIn = meaning.isAlways(to) && !(await talk.isRenamed(to));
    return isBuiltIn ? 'taken' : change.rename(ask, list, { to, mayBeNew: meaning.isAlways(list) });
  };

  return async (ask: Ask, slots: ListSaid): Promise<string | null> => {
    const isNamed = slots.list === null || slots.list.keys.length > 0;
    const meant = (isNamed ? null : await justChanged(ask)) ?? (await meaning.knownList(slots));
    if (!meant) return meaning.noList(ask, slots);
    const list_start = say.listStart(meant);
    if (await lists.isFixed(meant.key)) return reply('rename_elsewhere', { list_start }, ask.turn);
    const to = names.newName(slots.to ?? []);
    const renamed = await rename(ask, meant, to);
    if (renamed === 'taken') return reply('rename_taken', { list: say.list(to) }, ask.turn);
    // Another person may have deleted the list meanwhile.
    if (renamed === 'gone') return reply('no_list', { name: meant.name }, ask.turn);
    return reply('renamed', { list_start, name: to.name }, ask.turn);
  };
}

interface MakingOptions extends Pick<ListChangingOptions, 'talk' | 'meaning' | 'lists'> {
  askBack: AskBack;
}

/** Makes a list, at once or after a yes. */
function createMaking({ talk, meaning: { isAlways }, lists, askBack }: MakingOptions) {
  const { names, reply, change, tellMade, tellThere } = talk;

  /** The list that already has this name. A renamed list no longer holds its earlier name. */
  const ofThatName = async (own: readonly Word[]): Promise<{ meant: ListName; there: ListName | null }> => {
    const meant = names.readName(own);
    const isBuiltIn = isAlways(meant) && !(await talk.isRenamed(meant));
    return {
      meant,
      there: isBuiltIn ? meant : await lists.named([...names.keysOf(own).slice(0, 1), meant.key]),
    };
  };
  const make = async (ask: Ask, { own }: ListSaid) => {
    const { meant, there } = await ofThatName(own ?? []);
    if (there) return tellThere(ask, there);
    return tellMade(await change.make(ask, meant), { ask, meant });
  };
  const makeOf = async (ask: Ask, { own }: ListSaid) => {
    const { meant, there } = await ofThatName(own ?? []);
    if (there) return tellThere(ask, there);
    const said = reply('shall_make_new', { name: meant.name, capital: withCapital(meant.name) }, ask.turn);
    return askBack(ask, { kind: 'list.make', list: meant, items: [] }, said);
  };

  return { make, makeOf };
}

interface EmptyingOptions extends Pick<ListChangingOptions, 'talk' | 'lists'> {
  askBack: AskBack;
}

/** Asks whether to empty or delete a list. An empty list needs no question. */
function createEmptying({ talk: { reply, say, onYes }, lists, askBack }: EmptyingOptions) {
  return async (ask: Ask, kind: 'list.clear' | 'list.remove', meant: ListName): Promise<string> => {
    const there = await lists.read(meant.key);
    const count = there.length;
    const values = { list: say.list(meant), count: say.count(count) };
    const removal = { kind: 'list.remove', list: meant } as const;
    if (kind === 'list.remove' && count === 0) return onYes['list.remove'](removal, ask);
    if (count === 0) return reply('is_empty', { list_start: say.listStart(meant) }, ask.turn);
    if (kind === 'list.remove') return askBack(ask, removal, reply('shall_remove', values, ask.turn));
    return askBack(ask, { kind, list: meant, items: there }, reply('shall_clear', values, ask.turn));
  };
}
