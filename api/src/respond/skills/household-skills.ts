import type { Redis } from 'ioredis';
import { createActionStore } from '../../actions/action-store.ts';
import { type AskedStore, createAskedStore } from '../../actions/asked-store.ts';
import { createForget } from '../../actions/forget-conversation.ts';
import { createListStore, type ListStore } from '../../lists/list-store.ts';
import { createGrammar } from '../grammar/grammar.ts';
import type { ThereNow } from '../hints.ts';
import type { Language } from '../language.ts';
import { createNumberReader } from '../numbers/number-reader.ts';
import { createClockSkill } from './clock-skill.ts';
import { createForgetSkill } from './forget-skill.ts';
import { createHelpSkill } from './help-skill.ts';
import { createListsSkill } from './lists-skill.ts';
import type { Skill } from './skill.ts';
import { createSumsSkill } from './sums-skill.ts';
import { createTakeBack } from './take-back.ts';
import { createTalkSkill } from './talk-skill.ts';
import { createUndoSkill } from './undo-skill.ts';
import { createUnitsSkill } from './units-skill.ts';
import { createYesNoSkill } from './yes-no-skill.ts';

interface HouseholdSkillsOptions {
  language: Language;
  redis: Redis;
  timeZone: string;
}

export interface HouseholdSkills {
  /** In the order in which they are asked. */
  skills: readonly Skill[];
  grammar: ReturnType<typeof createGrammar>;
  asked: AskedStore;
  takeBack: ReturnType<typeof createTakeBack>;
  /** What can be spoken of at this moment. */
  thereNow: () => Promise<Pick<ThereNow, 'lists'>>;
}

/** Every skill there is. A new one is a file, its sentences in each language, and a line here. */
export function createHouseholdSkills({
  language,
  redis,
  timeZone,
}: HouseholdSkillsOptions): HouseholdSkills {
  const { files } = language;
  const numbers = createNumberReader(language.numbers);
  const asked = createAskedStore({ redis });
  const lists = createListStore({ redis });
  const skills: Skill[] = [
    createTalkSkill({ files }),
    createClockSkill({ files, numbers, timeZone }),
    createSumsSkill({ files, numbers }),
    createUnitsSkill({ files, numbers }),
    createListsSkill({ files, asked, lists }),
    createForgetSkill({ files, forget: createForget({ redis }) }),
  ];
  const actions = createActionStore({ redis });
  skills.push(createUndoSkill({ files, skills, actions }));
  skills.push(createYesNoSkill({ files, asked, skills }));
  skills.push(createHelpSkill({ files, skills: [...skills] }));
  return {
    skills,
    grammar: createGrammar(language.grammar),
    asked,
    takeBack: createTakeBack({ actions, skills }),
    thereNow: async () => ({ lists: await listsNow(lists) }),
  };
}

/** More are not told to the speech recognition, which would hear them where they were not said. */
const mostLists = 4;

async function listsNow(lists: ListStore): Promise<{ name: string; items: string[] }[]> {
  const names = await lists.names();
  return Promise.all(
    names.slice(-mostLists).map(async ({ key, name }) => ({
      name,
      items: (await lists.read(key)).map(({ text }) => text),
    })),
  );
}
