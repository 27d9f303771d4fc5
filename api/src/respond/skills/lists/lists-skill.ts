import type { Grammar } from '../../../language/grammar/grammar.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { ListItem } from '../../../lists/list-item.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import { type Ask, defineSkill, type Skill } from '../../core/skill.ts';
import { loadSkill, noWords } from '../../core/skill-language.ts';
import { typeOf } from '../../core/slot.ts';
import { createListChanging } from './list-changing.ts';
import { createListFollowUps } from './list-follow-ups.ts';
import { createListMeaning, createListSlots } from './list-meaning.ts';
import { createListQuestions } from './list-questions.ts';
import { createListRanks } from './list-ranks.ts';
import { createListTalk, type ListTalk } from './list-talk.ts';

interface ListsOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  lists: ListStore;
  defaultList: () => string | null;
  pendingQuestions: HouseholdQuestions;
  /** The actions of a conversation, of all kinds. */
  actions: Pick<HouseholdActions, 'latest'>;
  grammar: Pick<Grammar, 'readWords' | 'choose'>;
}

interface ListsSkills {
  talk: ListTalk;
  lists: Skill;
  /** Sentences that name no list. They may mean anything else, so they come last. */
  followUps: Skill;
}

/** The household's lists: shopping, to-do and its own. */
export function createListsSkills({
  files,
  numbers,
  lists,
  defaultList,
  pendingQuestions,
  actions: done,
  grammar,
}: ListsOptions): ListsSkills {
  const talk = createListTalk({ files, lists, defaultList, pendingQuestions });
  const { language, names, things, onYes, actions } = talk;
  const meaning = createListMeaning(talk);
  const changing = createListChanging({ talk, meaning, lists, pendingQuestions, actions: done });
  const questions = createListQuestions({ talk, meaning, lists });

  const { readWords } = grammar;
  const slots = createListSlots(talk, numbers);
  const skill = defineSkill({
    name: 'lists',
    ...language,
    slots,
    slotTypes: {
      list: names.slot,
      bare: { ...typeOf(names.readBare), costPerWord: 4 },
      ...things.slots,
      name: names.nameSlot,
    },
    intents: {
      ...changing.intents,
      ...questions.intents,
      ...createListRanks({ talk, meaning }),
    },
    onYes,
    choose: createListChoosing({ talk, pendingQuestions, grammar }),
    actions,
  });
  const followUps = defineSkill({
    name: 'list-follow-ups',
    sentencesOf: loadSkill(files, 'list-follow-ups', { replies: {}, words: noWords }).sentencesOf,
    slots,
    slotTypes: { ...things.slots, name: names.nameSlot },
    intents: createListFollowUps({
      ...{ talk, meaning, lists, changing, questions, readWords, numbers },
      actions: done,
    }),
  });
  return { talk, lists: skill, followUps };
}

/** Reads the answer to "which one do you mean?": "oat milk", "the oat one", "both". */
function createListChoosing({
  talk,
  pendingQuestions,
  grammar: { readWords, choose },
}: Pick<ListsOptions, 'pendingQuestions' | 'grammar'> & { talk: Pick<ListTalk, 'take' | 'askWhich'> }) {
  const wordsOf = (text: string) => readWords(text).map(({ word }) => word);
  const described = (said: readonly Word[], items: readonly ListItem[]) => {
    const fitting = items.filter(({ text }) => said.every(({ word }) => wordsOf(text).includes(word)));
    const exact = fitting.filter(({ text }) => wordsOf(text).length === said.length);
    return exact.length > 0 ? exact : fitting;
  };
  return async (ask: Ask): Promise<string | null> => {
    const question = await pendingQuestions.last(ask.exchanges, ask.turn.createdAt);
    if (question?.kind !== 'list.which') return null;
    const { list, items } = question;
    const chosen = choose(ask.turn.text, items, (said) => described(said, items));
    if (chosen === null) return null;
    const { things, isUnclear } = chosen;
    return isUnclear
      ? await talk.askWhich(ask, list, [...things])
      : (await talk.take(ask, list, things)).said;
  };
}
