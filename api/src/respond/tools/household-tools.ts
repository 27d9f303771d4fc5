import type { HomeControl } from '../home/home-control.ts';
import type { LanguageFiles } from '../language.ts';
import type { HouseholdSkills } from '../skills/household-skills.ts';
import { createListTalk } from '../skills/list-talk.ts';
import { createClockTools } from './clock-tools.ts';
import { createHomeTools } from './home-tools.ts';
import { createListTools } from './list-tools.ts';
import { createTimerTools } from './timer-tools.ts';
import type { Tool } from './tool.ts';

interface HouseholdToolsOptions {
  files: LanguageFiles;
  household: Pick<HouseholdSkills, 'skills' | 'asked' | 'lists' | 'timerSkill' | 'grammar'>;
  /** Null: no Home Assistant is set up. */
  home: Pick<HomeControl, 'run'> | null;
  timeZone: string;
}

/**
 * What the language model may do in the house, by the same functions as the skills. Their order stays: they stand first in every prompt. A
 * new tool is a line in its family, a new family a file and a line here.
 */
export function createHouseholdTools(options: HouseholdToolsOptions): readonly Tool[] {
  const { files, household, home, timeZone } = options;
  const { skills, asked, lists, timerSkill, grammar } = household;
  const clock = skills.find(({ name }) => name === 'clock') ?? { intents: {} };
  return [
    ...createTimerTools({ skill: timerSkill, grammar }),
    ...createClockTools({ clock, timeZone }),
    ...createListTools({ talk: createListTalk({ files, lists }), asked, grammar }),
    ...(home ? createHomeTools(home) : []),
  ];
}
