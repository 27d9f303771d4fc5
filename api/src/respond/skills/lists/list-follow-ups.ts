import { turnOfAction } from '../../../actions/action-store.ts';
import { askedWords } from '../../../conversations/exchange.ts';
import type { WordReader } from '../../../language/grammar/words.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { ListAction, ListName } from '../../../lists/list-action.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { Ask } from '../../core/skill.ts';
import type { ListChanging } from './list-changing.ts';
import { type ListMeaning, type ListSaid, listIntents } from './list-meaning.ts';
import type { ListQuestions } from './list-questions.ts';
import type { ListTalk } from './list-talk.ts';

const { does, tells } = listIntents;

/** How long "it" refers to the list that was changed last, in ms. */
const justChangedMs = 2 * 60_000;

interface ListFollowUpsOptions {
  talk: ListTalk;
  meaning: ListMeaning;
  lists: ListStore;
  changing: ListChanging;
  questions: ListQuestions;
  actions: Pick<HouseholdActions, 'latest'>;
  readWords: WordReader;
  numbers: NumberReader;
}

/** Sentences that refer to the list of the previous sentence: "also bread", "what is on it". */
export function createListFollowUps(options: ListFollowUpsOptions) {
  const { talk, meaning, lists, changing, questions, actions, readWords } = options;

  const lastChange = async ({ turn }: Ask) => {
    const [newest] = await actions.latest(turn);
    const action = newest?.action;
    const isRecent = action !== undefined && turn.createdAt - action.at <= justChangedMs;
    return isRecent && 'list' in action ? action : null;
  };
  /** The change that the last answer reported. Null: it was about something else. */
  const changeJustMade = async (ask: Ask) => {
    const action = await lastChange(ask);
    return action !== null && turnOfAction(action) === ask.exchanges.at(-1)?.turn ? action : null;
  };
  const listJustChanged = async (ask: Ask): Promise<ListName | null> => {
    const action = await changeJustMade(ask);
    return action && talk.known(action.list.key);
  };
  /** The list that the last sentence named: "what is on my shopping list". Null: it named none. */
  const listJustNamed = async ({ exchanges, turn }: Ask): Promise<ListName | null> => {
    const last = exchanges.at(-1);
    if (!last?.isOurs || !last.understood?.rule?.startsWith('lists:')) return null;
    if (turn.createdAt - (last.at ?? turn.createdAt) > justChangedMs) return null;
    const said = readWords(askedWords(last));
    const named = said.map((_, at) => talk.names.read(said, at)?.value).find(Boolean);
    return (named && talk.known(named.key)) ?? null;
  };
  /**
   * The list that the last sentence changed or named, or else the one that this conversation changed before.
   * Null: the last action was another one.
   */
  const lastList = async (ask: Ask): Promise<ListName | null> => {
    const named = (await listJustChanged(ask)) ?? (await listJustNamed(ask));
    if (named) return named;
    const action = await lastChange(ask);
    return action && talk.known(action.list.key);
  };
  const naming = (slots: ListSaid, meant: ListName): ListSaid => ({
    ...slots,
    list: { meant, isOurs: true, keys: [] },
  });

  const about =
    (answer: (ask: Ask, slots: ListSaid) => Promise<string | null>) =>
    async (ask: Ask, slots: ListSaid): Promise<string | null> => {
      const meant = await lastList(ask);
      return meant && answer(ask, naming(slots, meant));
    };

  /** "And bread" adds to the list that the last answer named. */
  const more = async (ask: Ask, slots: ListSaid) => {
    const meant = await listJustChanged(ask);
    return meant && changing.put(ask, naming(slots, meant));
  };
  /** "Add bread" also adds to that list. Without one, it asks. */
  const add = async (ask: Ask, slots: ListSaid) => (await more(ask, slots)) ?? changing.missing(ask, slots);

  const isThere = async (ask: Ask, slots: ListSaid, meant: ListName): Promise<boolean> => {
    const wanted = await meaning.itemsOf(ask, slots.items, meant);
    const there = await lists.read(meant.key);
    return Array.isArray(wanted) && wanted.every((item) => talk.things.find(there, item).length > 0);
  };
  /** "Remove bread": from the list that was changed last; from the usual list only after a yes. */
  const drop = async (ask: Ask, slots: ListSaid) => {
    const meant = await lastList(ask);
    const isOnIt = meant !== null && (await isThere(ask, slots, meant));
    return isOnIt ? changing.take(ask, naming(slots, meant)) : changing.noNeed(ask, slots);
  };
  /** "Change apples to pears" replaces an item of the list. */
  const swap = async (ask: Ask, slots: ListSaid) => {
    const meant = (await lastList(ask)) ?? (await talk.current(talk.names.usual));
    return (await isThere(ask, slots, meant)) ? changing.swap(ask, naming(slots, meant)) : null;
  };
  /** "Do we need milk?" Null: it is on no list, and the talk was not about one. */
  const needed = async (ask: Ask, slots: ListSaid) => {
    const last = await lastList(ask);
    const meant = last ?? (await talk.current(talk.names.usual));
    const isKnown = last !== null || (await isThere(ask, slots, meant));
    return isKnown ? questions.has(ask, naming(slots, meant)) : null;
  };
  /** "No, not bananas, apples": corrects the items that the last answer added. */
  const correct = async (ask: Ask, slots: ListSaid) => {
    const meant = await listJustChanged(ask);
    const said = meant && naming(wrongAndRight(slots), meant);
    if (!said || !(await isThere(ask, said, meant))) return null;
    return said.others === null ? changing.take(ask, said) : changing.swap(ask, said);
  };

  return {
    correct: does(correct),
    ...createAddedFollowUps(options, changeJustMade),
    more: does(more),
    add: does(add),
    drop: does(drop),
    put_on_it: does(about(changing.put)),
    swap: does(swap),
    rename_it: does(about(changing.rename)),
    clear_it: tells(about(changing.clear)),
    read_it: tells(about(questions.read)),
    count_it: tells(about(questions.count)),
    has_it: tells(about(questions.has)),
    needed: tells(needed),
  };
}

/** Changes what the last answer added: "remove it", "I meant oat milk". */
function createAddedFollowUps(
  {
    talk,
    meaning,
    changing,
    numbers,
  }: Pick<ListFollowUpsOptions, 'talk' | 'meaning' | 'changing' | 'numbers'>,
  changeJustMade: (ask: Ask) => Promise<ListAction | null>,
) {
  /** The items that the last answer added, and their list. Null: it added none. */
  const justAdded = async (ask: Ask) => {
    const action = await changeJustMade(ask);
    const meant = action?.kind === 'list.put' ? await talk.known(action.list.key) : null;
    return action && meant ? { meant, items: action.items } : null;
  };
  /** "Remove it" */
  const dropIt = async (ask: Ask) => {
    const added = await justAdded(ask);
    return added && (await talk.take(ask, added.meant, added.items)).said;
  };
  /** "I meant oat milk": another item instead of the one that was added. */
  const correctIt = async (ask: Ask, slots: ListSaid) => {
    const added = await justAdded(ask);
    if (added?.items.length !== 1) return null;
    const { meant, items } = added;
    // "I meant two" names no thing.
    if (numbers.read(slots.others ?? [], 0)?.end === slots.others?.length) return null;
    const right = await meaning.itemsOf(ask, slots.others, meant);
    if (!Array.isArray(right)) return right.refusal;
    return changing.replace(ask, meant, { wrong: items, right });
  };

  return { drop_it: does(dropIt), correct_it: does(correctIt) };
}

/** Without a word between them, a pause separates the wrong item from the right one. */
function wrongAndRight(slots: ListSaid): ListSaid {
  const { items, others } = slots;
  const pause = others === null ? (items?.findIndex(({ gap }, at) => at > 0 && gap !== '') ?? -1) : -1;
  return items === null || pause === -1
    ? slots
    : { ...slots, items: items.slice(0, pause), others: items.slice(pause) };
}
