import type { Redis } from 'ioredis';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createNotConnectedResponder } from '../../api/src/respond/not-connected/not-connected-responder.ts';
import type { Question } from '../../api/src/respond/responder.ts';
import { createSeveralResponder } from '../../api/src/respond/several/several-responder.ts';
import type { Exchange } from '../../api/src/turn/turn.ts';
import type { openHouse } from './servers/house.ts';
import { type Asked, englishSkills, question } from './skills.ts';

/** The responders before the language model as the worker asks them, in a house. */
export function openTalk(redis: Redis, { home }: Pick<Awaited<ReturnType<typeof openHouse>>, 'home'>) {
  const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });
  const skills = englishSkills(redis, [home.skill]);
  const notConnected = createNotConnectedResponder({ language, hasHome: true, mayBeServed: () => false });
  const several = createSeveralResponder({
    files: language.files,
    readWords: skills.grammar.readWords,
    skills: skills.responder,
    home: { responders: [home.responder], sentences: home.sentences },
    notConnected,
    asked: skills.asked,
  });
  let exchanges: Exchange[] = [];

  const say = async (text: string, turn: Asked = {}, more: Partial<Question> = {}) => {
    const asked = { ...question(text, { room: 'kitchen', ...turn }, [...exchanges]), ...more };
    for (const { respond } of [skills.responder, several, home.responder, notConnected]) {
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
  return { say, begin, several, timers: skills.timers, lists: skills.lists };
}
