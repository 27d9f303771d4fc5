import type { Redis } from 'ioredis';
import type { Announcements } from '../announcements/announcements.ts';
import type { Config } from '../config.ts';
import { createErasure } from '../conversations/erasure.ts';
import type { Understanding } from '../conversations/exchange.ts';
import { createMistakeStore } from '../conversations/mistake-store.ts';
import type { LlmFacts } from '../engines/llm-facts.ts';
import { createGrammar } from '../language/grammar/grammar.ts';
import { hasSkill, type Language } from '../language/language.ts';
import { createSay } from '../language/phrases.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import type { Logger } from '../log.ts';
import type { FileRewrite } from '../redis/file-rewrite.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { predictable } from '../respond/core/foresee.ts';
import type { Responder } from '../respond/core/responder.ts';
import { createSkillResponder } from '../respond/core/skill-responder.ts';
import { createDoubts } from '../respond/corrections/doubts.ts';
import {
  createAskBackResponder,
  createSilenceResponder,
} from '../respond/corrections/transcript-responders.ts';
import { createHomeCorrection } from '../respond/home/home-correction.ts';
import type { MayAct } from '../respond/home/not-understood.ts';
import { createLaterCommands } from '../respond/later/later.ts';
import { createAgreedSkill } from '../respond/model/asks-first.ts';
import { createHouseholdTools } from '../respond/model/household-tools.ts';
import { createPromptHeads } from '../respond/model/prompt-head.ts';
import type { ToolWords } from '../respond/model/tool-words.ts';
import { createNotConnectedResponder } from '../respond/not-connected/not-connected-responder.ts';
import { createRoutineCheck } from '../respond/routines/routine-check.ts';
import { createRoutines, createRoutinesSkill } from '../respond/routines/routines.ts';
import { createReasonResponder } from '../respond/several/reason-clause.ts';
import { createSeveralResponder } from '../respond/several/several-responder.ts';
import { createHouseholdSkills, type HouseholdSkills } from '../respond/skills/household-skills.ts';
import {
  createUnsupported,
  createUnsupportedResponder,
  type Unsupported,
} from '../respond/unsupported/unsupported.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { Settings } from '../settings/settings.ts';
import type { EngineStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import type { ForeignTools } from './foreign-tools.ts';
import { wireHeardNearly } from './heard-nearly.ts';
import type { WiredHome } from './home.ts';
import { createSkillStores } from './household-stores.ts';
import { installedVersion } from './installation.ts';
import { wireLists } from './lists.ts';

export interface AnswerWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  settings: Settings;
  language: Language;
  files: ModelFilesWatch;
  timers: TimerStore;
  announcements: Announcements;
  clock: HouseholdClock;
  words: ToolWords;
  foreign: ForeignTools;
  fileRewrite: FileRewrite;
  home: WiredHome | null;
  /** Passes sentences to the house, if we have no grammar of the house in this language. */
  homeInWords: readonly Responder[];
  engines: () => readonly EngineStatus[];
  /** The available models. Undefined for one that has not answered yet. */
  models: () => readonly (LlmFacts | undefined)[];
}

/** The responders before the language model, and the tools for it. */
export function wireAnswers(options: AnswerWiring) {
  const {
    config,
    redis,
    settings,
    language,
    files,
    timers,
    announcements,
    clock,
    words,
    foreign,
    fileRewrite,
    home,
    homeInWords,
    engines,
    models,
  } = options;
  const { timeZone } = config;
  const say = createSay(language.phrases);
  const stores = createSkillStores({
    redis,
    steady: clock.steady,
    erase: createErasure({ redis, file: fileRewrite, mistakes: createMistakeStore({ redis }) }),
  });
  const later =
    home &&
    createLaterCommands({
      files: language.files,
      asked: stores.asked,
      actions: stores.actions,
      grammar: createGrammar(language.grammar),
      timeZone,
      control: home.control,
      talk: () => household.timerSkill.talk,
    });
  const lists = wireLists({ redis, settings, language, home });
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
    engines,
    rooms: () => [...(home?.names().rooms ?? []), ...config.rooms],
    more: [
      ...(home ? [home.skill, home.facts.skill, home.facts.calendarSkill] : []),
      ...(later ? [later.skill] : []),
      createRoutinesSkill({ files: language.files, control: home?.control ?? null }),
      foreign.skill,
      createAgreedSkill({ tools: () => tools, say: words.say }),
    ],
  });
  const tools = createHouseholdTools({
    files: language.files,
    household,
    home: home?.control ?? null,
    timeZone,
    words,
  });
  const skills = createSkillResponder(household);
  const doubts = createDoubts({ asked: household.asked, skills });
  const headOf = createPromptHeads({
    words: language.prompt,
    tools: (now) => [...tools, ...foreign.tools(now)],
    ownModelCallsTools: () => files.current.selection?.models.llm?.tools ?? null,
  });
  /** Only a model with tool support can use a server. A model that has not answered yet might have it. */
  const callsTools = (now: Pipeline) =>
    models().some((facts) => facts === undefined || headOf(facts, now).tools.length > 0);
  const mayBeServed = (now: Pipeline) => now.tools && foreign.areSetUp(now) && callsTools(now);
  const mayLook = (now: Pipeline) => now.tools && callsTools(now);
  const notConnected = wireNotConnected({
    language,
    hasHome: home !== null,
    ...(home && { facts: home.facts }),
    mayBeServed,
    mayLook,
    isForSpeaker: (text) => skills.understood(text)?.skill === 'speaker',
  });
  const music = home?.music(mayBeServed);

  const heardNearly = wireHeardNearly({ config, language, home, household, say, doubts, skills });
  /** The responders for one request, in the order in which they are asked. */
  const forOne = [
    skills,
    ...(later ? [later.responder] : []),
    ...(home && music ? [home.responder, music] : []),
    notConnected,
  ];
  const { several, reasons } = wireSeveral({
    files: language.files,
    readWords: household.grammar.readWords,
    skills,
    sentences: home?.sentences ?? null,
    notConnected,
    responders: forOne,
    asked: household.asked,
  });

  const unsupported = wireUnsupported({ config, language, home });
  const askBack = createAskBackResponder(say, doubts);
  const routines = createRoutines({
    files: language.files,
    grammar: household.grammar,
    asked: household.asked,
    responders: forOne,
    home,
    askBack,
  });

  return {
    household,
    skills,
    /** The household's lists for the page. */
    lists: createShownLists({ lists }),
    checkRoutines: createRoutineCheck({
      skills,
      home,
      notConnected,
      responders: forOne,
      asked: household.asked,
      takesYes: (kind) => household.skills.some(({ onYes }) => onYes !== undefined && kind in onYes),
      sentences: routines.sentences,
      settings: settings.current,
      now: clock.now,
    }),
    /** Builds the beginning of every prompt. */
    headOf,
    meant: doubts.meant,
    /** The rule that a responder applied to these words. Reads them again; asks and runs nothing. */
    async explain(words: string, via: string): Promise<Explained> {
      if (via === 'skills') return ruleOf(skills.meaning(words)?.key);
      return via === 'home' && home !== null ? await homeRuleOf(home, words) : {};
    },
    unsupported,
    /** In order: the first responder that accepts a question answers it. */
    responders: [
      createSilenceResponder(say),
      routines.responder,
      ...(later ? [later.cancelling] : []),
      ...(home ? [home.facts.calendarAnswers] : []),
      skills,
      ...(later ? [later.responder] : []),
      ...several,
      ...homeInWords,
      ...(home && music
        ? [
            createHomeCorrection({
              control: home.control,
              actions: stores.actions,
              skills: household.skills,
            }),
            heardNearly.atHome,
            home.responder,
            home.facts.recordAnswers,
            music,
          ]
        : []),
      notConnected,
      createSkillResponder({ skills: household.lastSkills, grammar: household.grammar }),
      ...reasons,
      ...heardNearly.anywhere,
      ...notUnderstoodAt(home, mayLook),
      createUnsupportedResponder(unsupported, mayLook),
      askBack,
    ],
  };
}

/** For several requests at once and for one with its reason, if the language has words for them. */
function wireSeveral(options: Parameters<typeof createSeveralResponder>[0]) {
  if (!hasSkill(options.files, 'several')) return { several: [], reasons: [] };
  return { several: [createSeveralResponder(options)], reasons: [createReasonResponder(options)] };
}

/** Without sentences for it in the language, the responder accepts none. */
function wireNotConnected(options: Parameters<typeof createNotConnectedResponder>[0]) {
  if (hasSkill(options.language.files, 'not-connected')) return createNotConnectedResponder(options);
  return predictable({ name: 'skills', respond: async () => null });
}

/** Without words for it in the language, each sentence may be for the language model. */
function wireUnsupported({
  config,
  language,
  home,
}: Pick<AnswerWiring, 'config' | 'language' | 'home'>): Unsupported {
  if (!hasSkill(language.files, 'unsupported'))
    return { kindOf: () => ({ kind: 'talk' }), replyTo: () => null };
  return createUnsupported({
    language,
    names: () => {
      const { rooms, devices } = home?.names() ?? { rooms: [], devices: [] };
      return [...rooms, ...devices, ...config.rooms, ...config.devices];
    },
  });
}

function notUnderstoodAt(home: WiredHome | null, mayAct: MayAct): Responder[] {
  return home ? [home.notUnderstood(mayAct)] : [];
}

type Explained = Pick<Understanding, 'rule' | 'names'>;

/** A key of `SkillResponder.meaning` in parts: "lists put items=eggs list=shopping". */
function ruleOf(key: string | undefined): Explained {
  if (key === undefined) return {};
  const [rule = '', ...slots] = key.split(/ (?=\w+=)/);
  return { rule: rule.replace(' ', ': '), ...(slots.length > 0 && { names: slots }) };
}

/** Without known names it would wait for Home Assistant. */
async function homeRuleOf({ control, names }: WiredHome, words: string): Promise<Explained> {
  if (names().devices.length === 0) return {};
  const understood = await control.read(words);
  const [first] = understood;
  const found = new Set(understood.flatMap(({ bare, area, place }) => [bare, area || place]));
  found.delete('');
  return {
    ...(first && { rule: ['home', first.intent].join(': ') }),
    ...(found.size > 0 && { names: [...found] }),
  };
}
