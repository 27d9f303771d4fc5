import type { Redis } from 'ioredis';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createLaterCommands } from '../../api/src/respond/later/later.ts';
import { createNotConnectedResponder } from '../../api/src/respond/not-connected/not-connected-responder.ts';
import type { Question } from '../../api/src/respond/responder.ts';
import { createSeveralResponder } from '../../api/src/respond/several/several-responder.ts';
import type { Exchange } from '../../api/src/turn/turn.ts';
import type { openHouse } from './servers/house.ts';
import { type Asked, englishSkills, question } from './skills.ts';

/** The responders before the language model as the worker asks them, in a house. */
export function openTalk(redis: Redis, { home }: Pick<Awaited<ReturnType<typeof openHouse>>, 'home'>) {
  const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });
  const later = createLaterCommands({
    files: language.files,
    redis,
    grammar: createGrammar(language.grammar),
    timeZone: 'Europe/London',
    control: home.control,
    talk: () => skills.timerSkill.talk,
  });
  const skills: ReturnType<typeof englishSkills> = englishSkills(redis, [home.skill, later.skill]);
  const notConnected = createNotConnectedResponder({ language, hasHome: true, mayBeServed: () => false });
  const several = createSeveralResponder({
    files: language.files,
    readWords: skills.grammar.readWords,
    skills: skills.responder,
    home: { responders: [later.responder, home.responder], sentences: home.sentences },
    notConnected,
    asked: skills.asked,
  });
  let exchanges: Exchange[] = [];

  const say = async (text: string, turn: Asked = {}, more: Partial<Question> = {}) => {
    const asked = { ...question(text, { room: 'kitchen', ...turn }, [...exchanges]), ...more };
    for (const { respond } of [
      later.cancelling,
      skills.responder,
      later.responder,
      several,
      home.responder,
      notConnected,
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
    later,
    skillsUnderstand: (text: string) => skills.responder.understood(text) !== null,
    timers: skills.timers,
    files: language.files,
    lists: skills.lists,
  };
}
