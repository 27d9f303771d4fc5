import type { Understanding } from '../conversations/exchange.ts';
import type { LlmFacts } from '../engines/llm-facts.ts';
import { hasSkill } from '../language/language.ts';
import { createSay } from '../language/phrases.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import type { Logger } from '../log.ts';
import { withDryRun } from '../respond/core/dry-run.ts';
import type { DryRunResponder, Question } from '../respond/core/responder.ts';
import { inOrder, type PlacedResponders } from '../respond/core/responder-order.ts';
import { createSkillResponder } from '../respond/core/skill-responder.ts';
import { createAskAgainResponder } from '../respond/corrections/ask-again.ts';
import { createDoubts } from '../respond/corrections/doubts.ts';
import {
  createAskBackResponder,
  createSilenceResponder,
} from '../respond/corrections/transcript-responders.ts';
import { createHomeCorrection } from '../respond/home/home-correction.ts';
import { createPromptHeads } from '../respond/model/prompt-head.ts';
import type { Tool } from '../respond/model/tool.ts';
import { createNotConnectedResponder } from '../respond/not-connected/not-connected-responder.ts';
import { createRoutineCheck } from '../respond/routines/routine-check.ts';
import { createRoutines } from '../respond/routines/routines.ts';
import { createReasonResponder } from '../respond/several/reason-clause.ts';
import { createSeveralResponder } from '../respond/several/several-responder.ts';
import { createAnnouncementText } from '../respond/skills/announce/announcement-text.ts';
import { createJokeFollowUps } from '../respond/skills/jokes-skill.ts';
import { createListAnswers } from '../respond/skills/lists/list-answers.ts';
import { createReminderSubject } from '../respond/skills/timers/reminder-subject.ts';
import {
  createUnsupported,
  createUnsupportedResponder,
  type Unsupported,
} from '../respond/unsupported/unsupported.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import type { WiredHome } from './home.ts';
import { type SkillWiring, wireSkills } from './skills.ts';
import { wireTranscriptCorrection } from './transcript-correction.ts';

export interface AnswerWiring extends SkillWiring {
  log: Logger;
  files: ModelFilesWatch;
  /** The available models. Undefined for one that has not answered yet. */
  models: () => readonly (LlmFacts | undefined)[];
}

/** The responders before the language model, and the tools for it. */
export function wireAnswers(options: AnswerWiring) {
  const { settings, language, clock, home, homeInWords } = options;
  const { files } = language;
  const say = createSay(language.phrases);
  const { household, later, lists, tools, actions } = wireSkills(options);
  const { pendingQuestions, grammar } = household;
  const skills = createSkillResponder(household);
  const doubts = createDoubts({ pendingQuestions, skills });
  const { headOf, mayBeServed, mayLook } = wireModelTools(options, tools);
  const notConnected = wireNotConnected({
    language,
    hasHome: (home ?? homeInWords) !== null,
    facts: (home ?? homeInWords)?.facts ?? null,
    mayBeServed,
    mayLook,
    isForSpeaker: (text) => skills.understood(text)?.skill === 'speaker',
  });
  const correction = wireTranscriptCorrection({ settings, language, home, household, say, doubts, skills });
  const unsupported = wireUnsupported({ settings, language, home });
  const askBack = createAskBackResponder(say, doubts);

  /** They also answer a part of a sentence, or a step of a routine. */
  const forOne = {
    skills,
    later: later?.responder,
    homeInWords: homeInWords?.responder,
    home: home?.responder,
    music: home?.music(mayBeServed),
    notConnected,
  };
  const responders = inOrder<DryRunResponder>(forOne);
  const { several, reason } = wireSeveral({
    files,
    readWords: grammar.readWords,
    skills,
    sentences: (home ?? homeInWords)?.sentences ?? null,
    notConnected,
    responders,
    pendingQuestions,
  });
  const routines = createRoutines({ files, grammar, pendingQuestions, responders, home, askBack });
  const listAnswers = createListAnswers({ files, pendingQuestions, skills, readWords: grammar.readWords });
  const takesYes = (kind: string) =>
    household.skills.some(({ onYes }) => onYes !== undefined && kind in onYes);
  const calendar = home?.facts.calendarAnswers;
  const placed: PlacedResponders = {
    ...forOne,
    silence: createSilenceResponder(say),
    routines: routines.responder,
    laterCancelling: later?.cancelling,
    calendar,
    listAnswers,
    jokeFollowUps: hasSkill(files, 'jokes')
      ? createJokeFollowUps({ files, told: household.toldJokes, grammar, skills })
      : null,
    reminderSubject: createReminderSubject({ files, pendingQuestions, skills }),
    announcementText: household.announceSkill && createAnnouncementText(household.announceSkill, skills),
    several,
    homeCorrection:
      home && createHomeCorrection({ control: home.control, actions, skills: household.skills }),
    nearAtHome: home && correction.atHome,
    records: home?.facts.recordAnswers,
    lastSkills: createSkillResponder({ skills: household.lastSkills, grammar }),
    reason,
    near: correction.anywhere,
    notUnderstood: home?.notUnderstood(mayLook),
    unsupported: createUnsupportedResponder(unsupported, mayLook),
    askAgain: createAskAgainResponder({
      ...{ pendingQuestions, say, grammar, soundsOf: language.rules.soundsOf },
      responders: inOrder({ ...forOne, listAnswers, calendar }),
      takesYes,
      mayBeRequest: unsupported.mayBeRequest,
    }),
    askBack,
  };

  return {
    household,
    skills,
    /** The household's lists for the page. */
    lists: createShownLists({ lists }),
    checkRoutines: createRoutineCheck({
      skills,
      home,
      notConnected,
      responders,
      pendingQuestions,
      takesYes,
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
    /** Whether no rule answers these words, and they do not have the form of a question or a request. */
    async isRemark(question: Question): Promise<boolean> {
      if (unsupported.mayBeRequest(question)) return false;
      for (const { dryRun } of responders) if (await dryRun(question)) return false;
      return true;
    },
    responders: inOrder(placed),
  };
}

/** The tools that a language model may call. */
function wireModelTools({ language, files, foreign, models }: AnswerWiring, tools: readonly Tool[]) {
  const headOf = createPromptHeads({
    words: language.prompt,
    tools: (now) => [...tools, ...foreign.tools(now)],
    ownModelCallsTools: () => files.current.selection?.models.llm?.tools ?? null,
  });
  /** A model that has not answered yet might support tools. */
  const mayLook = (now: Pipeline) =>
    now.tools && models().some((facts) => facts === undefined || headOf(facts, now).tools.length > 0);
  return {
    headOf,
    mayLook,
    /** Only a model with tool support can use a server. */
    mayBeServed: (now: Pipeline) => foreign.areSetUp(now) && mayLook(now),
  };
}

/**
 * Responders for several requests in a sentence, and for one with a reason, if the language supports them.
 */
function wireSeveral(options: Parameters<typeof createSeveralResponder>[0]) {
  if (!hasSkill(options.files, 'several')) return { several: null, reason: null };
  return { several: createSeveralResponder(options), reason: createReasonResponder(options) };
}

/** Without sentences for it in the language, the responder accepts none. */
function wireNotConnected(options: Parameters<typeof createNotConnectedResponder>[0]) {
  if (hasSkill(options.language.files, 'not-connected')) return createNotConnectedResponder(options);
  return withDryRun({ name: 'skills', respond: async () => null });
}

/** Without words for it in the language, each sentence may be for the language model. */
function wireUnsupported({
  settings,
  language,
  home,
}: Pick<AnswerWiring, 'settings' | 'language' | 'home'>): Unsupported {
  if (!hasSkill(language.files, 'unsupported'))
    return { kindOf: () => ({ kind: 'talk' }), mayBeRequest: () => true, replyTo: () => null };
  return createUnsupported({
    language,
    names: () => {
      const { rooms, devices } = home?.names() ?? { rooms: [], devices: [] };
      const ours = settings.current();
      return [...rooms, ...devices, ...ours.rooms, ...ours.devices];
    },
  });
}

type Explained = Pick<Understanding, 'rule' | 'names'>;

/** A key of `SkillResponder.meaning` in parts: "lists put items=eggs list=shopping". */
export function ruleOf(key: string | undefined): Explained {
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
