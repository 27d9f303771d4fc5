import type { HomeControl } from '../home/home-control.ts';
import type { HouseholdSkills } from '../skills/household-skills.ts';
import { createAsksFirst } from './asks-first.ts';
import { createClockTools } from './clock-tools.ts';
import { createHomeTools } from './home-tools.ts';
import { createListTools } from './list-tools.ts';
import { createRequestReader } from './requests.ts';
import { createTimerTools } from './timer-tools.ts';
import type { Tool } from './tool.ts';
import type { ToolWords } from './tool-words.ts';
import { createUserEvidence } from './user-evidence.ts';

interface HouseholdToolsOptions {
  household: Pick<
    HouseholdSkills,
    'skills' | 'pendingQuestions' | 'listTalk' | 'timerSkill' | 'grammar' | 'numbers'
  >;
  /** Null: no Home Assistant is configured. */
  home: Pick<HomeControl, 'run' | 'opensUp'> | null;
  timeZone: string;
  words: Pick<ToolWords, 'say' | 'evidence' | 'askedFor'>;
}

/**
 * The language model's tools for the household; they call the same functions as the skills. Keep their order,
 * because they come first in every prompt. Add a new tool to its family, and a new family as a file and a
 * line here.
 */
export function createHouseholdTools(options: HouseholdToolsOptions): readonly Tool[] {
  const { household, home, timeZone, words } = options;
  const { skills, pendingQuestions, listTalk: talk, timerSkill, grammar, numbers } = household;
  const { readWords } = grammar;
  const clock = skills.find(({ name }) => name === 'clock') ?? { intents: {} };
  const { durations } = timerSkill.talk.read;
  const requests = createRequestReader(words.askedFor, grammar);
  const hasUserEvidence = createUserEvidence({
    words: words.evidence,
    readWords,
    requests,
    numbers,
    durations,
    lists: talk.names,
  });
  const asking = { hasUserEvidence, ask: words.say };
  const tools = [
    ...createTimerTools({ skill: timerSkill, grammar, ...asking }),
    ...createClockTools({ clock, timeZone }),
    ...createListTools({ talk, pendingQuestions, grammar, ...asking }),
    ...(home ? createHomeTools({ home, readWords, ...asking }) : []),
  ];
  return tools.map(createAsksFirst({ pendingQuestions, say: words.say }));
}
