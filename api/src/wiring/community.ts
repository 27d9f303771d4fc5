import { createErasure } from '../conversations/erasure.ts';
import { createMistakeStore } from '../conversations/mistake-store.ts';
import type { CommunityLanguage } from '../language/community/community-words.ts';
import { createGrammar } from '../language/grammar/grammar.ts';
import { createSay } from '../language/phrases.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import { createCommunitySkills } from '../respond/community/community-skills.ts';
import { plainAnswer, type Responder } from '../respond/core/responder.ts';
import { inOrder } from '../respond/core/responder-order.ts';
import { createSkillResponder } from '../respond/core/skill-responder.ts';
import { createTurnUndo } from '../respond/core/turn-undo.ts';
import { createDoubts } from '../respond/corrections/doubts.ts';
import { createSilenceResponder } from '../respond/corrections/transcript-responders.ts';
import { createPromptHeads } from '../respond/model/prompt-head.ts';
import { createCanRing } from '../respond/skills/timers/timer-hearable.ts';
import type { RoutineFault, RoutinesToCheck } from '../settings/routine-fault.ts';
import { type AnswerWiring, ruleOf } from './answers.ts';
import { createSkillStores } from './household-stores.ts';

/** The responders of a language with the sentences of the community. The model has no tools there. */
export function wireCommunityAnswers(options: AnswerWiring, community: CommunityLanguage) {
  const { config, redis, settings, language, timers, announcements, clock, homeInWords } = options;
  const say = createSay(language.phrases);
  const {
    pendingQuestions,
    actions,
    ownLists: lists,
    there,
  } = createSkillStores({
    redis,
    steady: clock.steady,
    erase: createErasure({ redis, file: options.fileRewrite, mistakes: createMistakeStore({ redis }) }),
  });
  const grammar = createGrammar(language.grammar);
  const { skills: own, lastSkills } = createCommunitySkills({
    community,
    grammar,
    timers,
    canRing: createCanRing({ there, steady: clock.steady }),
    lists,
    announcements,
    timeZone: config.timeZone,
  });
  const skills = createSkillResponder({ skills: own, grammar });
  /** The language has no words for a yes, so doubtful words get no question. */
  const askBack: Responder = {
    name: 'skills',
    respond: async ({ turn }) => (turn.isSure ? null : plainAnswer(say('not_caught', {}, turn.id))),
  };
  return {
    household: {
      undoTurn: createTurnUndo({
        actions,
        skills: homeInWords ? [...own, homeInWords.skill] : own,
        settings: settings.current,
      }),
      thereNow: async () => ({ lists: [], timers: [] }),
    },
    skills,
    lists: createShownLists({ lists }),
    /** No routine can start in such a language. */
    checkRoutines: async ({ changed: [at] }: RoutinesToCheck): Promise<RoutineFault | null> =>
      at === undefined ? null : { param: `routines.${at}.sentences.0`, kind: 'not_understood', text: '' },
    headOf: createPromptHeads({ words: language.prompt, tools: () => [], ownModelCallsTools: () => null }),
    meant: createDoubts({ pendingQuestions, skills }).meant,
    explain: async (words: string, via: string) =>
      via === 'skills' ? ruleOf(skills.meaning(words)?.key) : {},
    unsupported: {
      kindOf: () => ({ kind: 'talk' as const }),
      mayBeRequest: () => true,
      replyTo: () => null,
    },
    /** The language has no words to tell a remark from a request. */
    isRemark: async () => false,
    responders: inOrder({
      silence: createSilenceResponder(say),
      skills,
      homeInWords: homeInWords?.responder,
      lastSkills: createSkillResponder({ skills: lastSkills, grammar }),
      askBack,
    }),
  };
}
