import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { ListStore } from '../../../lists/list-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import { defineSkill, type Skill } from '../../core/skill.ts';
import { typeOf } from '../../core/slot.ts';
import { createListChanging } from './list-changing.ts';
import { createListMeaning, createListSlots } from './list-meaning.ts';
import { createListQuestions } from './list-questions.ts';
import { createListRanks } from './list-ranks.ts';
import { createListTalk } from './list-talk.ts';

interface ListsOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  lists: ListStore;
  asked: HouseholdQuestions;
  /** The actions of a conversation, of all kinds. */
  actions: Pick<HouseholdActions, 'latest'>;
}

/** The household's lists: shopping, to-do and its own. */
export function createListsSkill({ files, numbers, lists, asked, actions: done }: ListsOptions): Skill {
  const talk = createListTalk({ files, lists });
  const { language, names, things, onYes, actions } = talk;
  const meaning = createListMeaning(talk);

  return defineSkill({
    name: 'lists',
    ...language,
    slots: createListSlots(talk, numbers),
    slotTypes: {
      list: { ...typeOf(names.read), costPerWord: 3 },
      bare: { ...typeOf(names.readBare), costPerWord: 4 },
      ...things.slots,
      name: names.nameSlot,
    },
    intents: {
      ...createListChanging({ talk, meaning, lists, asked, actions: done }),
      ...createListQuestions({ talk, meaning, lists }),
      ...createListRanks({ talk, meaning }),
    },
    onYes,
    actions,
  });
}
