import type { Redis } from 'ioredis';
import type { Announcements } from '../announcements/announcements.ts';
import type { Config } from '../config.ts';
import { createErasure } from '../conversations/erasure.ts';
import { createMistakeStore } from '../conversations/mistake-store.ts';
import { createGrammar } from '../language/grammar/grammar.ts';
import type { Language } from '../language/language.ts';
import type { FileRewrite } from '../redis/file-rewrite.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { createLaterCommands } from '../respond/later/later.ts';
import { createAgreedSkill } from '../respond/model/asks-first.ts';
import { createHouseholdTools } from '../respond/model/household-tools.ts';
import type { ToolWords } from '../respond/model/tool-words.ts';
import { createRoutinesSkill } from '../respond/routines/routines.ts';
import { createHouseholdSkills, type HouseholdSkills } from '../respond/skills/household-skills.ts';
import type { AnswerFromHouse } from '../respond/skills/timers/timer-questions.ts';
import type { Settings } from '../settings/settings.ts';
import type { EngineStatus } from '../status/engine-status.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import type { ForeignTools } from './foreign-tools.ts';
import type { WiredHome, WiredHomeInWords } from './home.ts';
import { createSkillStores } from './household-stores.ts';
import { installedVersion } from './installation.ts';
import { wireLists } from './lists.ts';

export interface SkillWiring {
  config: Config;
  redis: Redis;
  settings: Settings;
  language: Language;
  timers: TimerStore;
  announcements: Announcements;
  clock: HouseholdClock;
  words: ToolWords;
  foreign: ForeignTools;
  fileRewrite: FileRewrite;
  home: WiredHome | null;
  /** The house, if we have no grammar of it in this language. */
  homeInWords: WiredHomeInWords | null;
  engines: () => readonly EngineStatus[];
}

/** Answers of the house that name something in it. */
const toldBy =
  ({ control }: WiredHome): AnswerFromHouse =>
  async (ask) => {
    const answer = await control.ask(ask);
    return answer?.about?.length ? answer.text : null;
  };

/** The skills of the household, its commands for later, and the tools that call the skills. */
export function wireSkills(options: SkillWiring) {
  const { config, redis, settings, language, timers, announcements, clock, foreign, home, homeInWords } =
    options;
  const { timeZone } = config;
  const stores = createSkillStores({
    redis,
    steady: clock.steady,
    erase: createErasure({ redis, file: options.fileRewrite, mistakes: createMistakeStore({ redis }) }),
  });
  const house = home ?? homeInWords;
  const plannedHouse = house?.planned;
  const later =
    plannedHouse &&
    createLaterCommands({
      files: language.files,
      pendingQuestions: stores.pendingQuestions,
      actions: stores.actions,
      grammar: createGrammar(language.grammar),
      timeZone,
      house: plannedHouse,
      talk: () => household.timerSkill.talk,
    });
  const lists = wireLists({ redis, settings, language, home: house });
  const household: HouseholdSkills = createHouseholdSkills({
    language,
    stores,
    lists,
    timeZone,
    version: installedVersion(),
    settings,
    timers,
    announcements,
    steady: clock.steady,
    engines: options.engines,
    sunTimes: house?.facts?.sunTimes ?? null,
    atHome: home && toldBy(home),
    rooms: () => [...(home?.names().rooms ?? []), ...settings.current().rooms],
    more: [
      home?.skill,
      homeInWords?.skill,
      house?.facts?.skill,
      house?.facts?.calendarSkill,
      later?.skill,
      createRoutinesSkill({ files: language.files, control: home?.control ?? null }),
      foreign.skill,
      createAgreedSkill({ tools: () => tools, say: options.words.say }),
    ].filter((skill) => skill != null),
  });
  const tools = createHouseholdTools({
    household,
    home: home?.control ?? null,
    timeZone,
    words: options.words,
  });
  return { household, later, lists, tools, actions: stores.actions };
}
