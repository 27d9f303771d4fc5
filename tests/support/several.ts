import type { Redis } from 'ioredis';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createSay } from '../../api/src/language/phrases.ts';
import type { Question } from '../../api/src/respond/core/responder.ts';
import { createAskBackResponder } from '../../api/src/respond/corrections/transcript-responders.ts';
import { createLaterCommands } from '../../api/src/respond/later/later.ts';
import { createNotConnectedResponder } from '../../api/src/respond/not-connected/not-connected-responder.ts';
import { createRoutineCheck } from '../../api/src/respond/routines/routine-check.ts';
import { createRoutines, createRoutinesSkill } from '../../api/src/respond/routines/routines.ts';
import { createReasonResponder } from '../../api/src/respond/several/reason-clause.ts';
import { createSeveralResponder } from '../../api/src/respond/several/several-responder.ts';
import { createJokeFollowUps } from '../../api/src/respond/skills/jokes-skill.ts';
import { createListAnswers } from '../../api/src/respond/skills/lists/list-answers.ts';
import { createReminderSubject } from '../../api/src/respond/skills/timers/reminder-subject.ts';
import type { SunTimes } from '../../api/src/respond/skills/timers/sun-reader.ts';
import { effectivePipeline } from '../../api/src/settings/pipeline.ts';
import { createHouseholdRecords } from '../../api/src/wiring/household-stores.ts';
import type { openHouse } from './servers/house.ts';
import { type Asked, englishSkills, question } from './skills.ts';

/** The responders before the language model, in the worker's order, in a house. */
export function openTalk(
  redis: Redis,
  { home }: Pick<Awaited<ReturnType<typeof openHouse>>, 'home'>,
  { sunTimes = async () => null }: { sunTimes?: () => Promise<SunTimes | null> } = {},
) {
  const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });
  const { pendingQuestions, actions } = createHouseholdRecords({ redis });
  const later = createLaterCommands({
    files: language.files,
    pendingQuestions,
    actions,
    grammar: createGrammar(language.grammar),
    timeZone: 'Europe/London',
    house: home.planned,
    talk: () => skills.timerSkill.talk,
  });
  const skills: ReturnType<typeof englishSkills> = englishSkills(
    redis,
    [home.skill, later.skill, createRoutinesSkill({ files: language.files, control: home.control })],
    { sunTimes },
  );
  const notConnected = createNotConnectedResponder({ language, hasHome: true, mayBeServed: () => false });
  const responders = [skills.responder, later.responder, home.responder, notConnected];
  const several = createSeveralResponder({
    files: language.files,
    readWords: skills.grammar.readWords,
    skills: skills.responder,
    sentences: home.sentences,
    notConnected,
    responders,
    pendingQuestions: skills.pendingQuestions,
  });
  const reasons = createReasonResponder({
    files: language.files,
    readWords: skills.grammar.readWords,
    skills: skills.responder,
    sentences: home.sentences,
    responders,
  });
  const subject = createReminderSubject({
    files: language.files,
    pendingQuestions: skills.pendingQuestions,
    skills: skills.responder,
  });
  const listAnswers = createListAnswers({
    files: language.files,
    pendingQuestions: skills.pendingQuestions,
    skills: skills.responder,
    readWords: skills.grammar.readWords,
  });
  const jokeFollowUps = createJokeFollowUps({
    files: language.files,
    told: skills.toldJokes,
    grammar: skills.grammar,
    skills: skills.responder,
  });
  const askBack = createAskBackResponder(createSay(language.phrases), { note: async () => undefined });
  const routines = createRoutines({
    files: language.files,
    grammar: skills.grammar,
    pendingQuestions: skills.pendingQuestions,
    responders,
    home,
    askBack,
    limits: { stepMs: 1_500, allMs: 5_000 },
  });
  const checkRoutines = createRoutineCheck({
    skills: skills.responder,
    home,
    notConnected,
    responders,
    pendingQuestions: skills.pendingQuestions,
    takesYes: (kind) => skills.skills.some(({ onYes }) => onYes !== undefined && kind in onYes),
    sentences: routines.sentences,
    settings: () => effectivePipeline({}, {}).values,
    now: Date.now,
  });
  let exchanges: Exchange[] = [];

  const say = async (text: string, turn: Asked = {}, more: Partial<Question> = {}) => {
    const asked = { ...question(text, { room: 'kitchen', ...turn }, [...exchanges]), ...more };
    for (const { respond } of [
      routines.responder,
      later.cancelling,
      listAnswers,
      jokeFollowUps,
      skills.responder,
      subject,
      later.responder,
      several,
      home.responder,
      notConnected,
      reasons,
    ]) {
      const answer = await respond(asked);
      if (!answer) continue;
      exchanges.push({ user: text, assistant: answer.text, turn: asked.turn.id });
      return answer.text;
    }
    return null;
  };
  const begin = () => {
    exchanges = [];
  };
  return {
    say,
    begin,
    several,
    reasons,
    later,
    routines: routines.responder,
    checkRoutines,
    skillsUnderstand: (text: string) => skills.responder.understood(text) !== null,
    timers: skills.timers,
    files: language.files,
    lists: skills.lists,
  };
}
