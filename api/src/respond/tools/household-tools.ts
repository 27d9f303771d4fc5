import type { LanguageFiles } from '../language.ts';
import type { HouseholdSkills } from '../skills/household-skills.ts';
import { createListTalk } from '../skills/list-talk.ts';
import { createClockTools } from './clock-tools.ts';
import { createListTools } from './list-tools.ts';
import type { Tool } from './tool.ts';

interface HouseholdToolsOptions {
  files: LanguageFiles;
  household: Pick<HouseholdSkills, 'skills' | 'asked' | 'lists' | 'grammar'>;
  timeZone: string;
}

/**
 * What the language model may do in the house, by the same functions as the skills. Their order stays: they stand first in every prompt. A
 * new tool is a line in its family, a new family a file and a line here.
 */
export function createHouseholdTools({ files, household, timeZone }: HouseholdToolsOptions): readonly Tool[] {
  const { skills, asked, lists, grammar } = household;
  const clock = skills.find(({ name }) => name === 'clock') ?? { intents: {} };
  return [
    ...createClockTools({ clock, timeZone }),
    ...createListTools({ talk: createListTalk({ files, lists }), asked, grammar }),
  ];
}
