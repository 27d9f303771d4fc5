import type { HouseholdQuestions } from '../household-questions.ts';
import { plainAnswer, type Question, type Responder } from '../responder.ts';
import type { HomeTalk } from './home-control.ts';
import type { Understood } from './understood.ts';

interface HomeResponderOptions {
  control: Pick<HomeTalk, 'read' | 'answer' | 'goOn' | 'refuseLater'>;
  asked: Pick<HouseholdQuestions, 'last'>;
}

/**
 * Commands to the house and questions about its state, by Home Assistant. Only what plainly is one of these is sent there: it would find
 * something to do for much else.
 */
export function createHomeResponder({ control, asked }: HomeResponderOptions): Responder {
  const wasAsked = async ({ exchanges, turn }: Question): Promise<boolean> =>
    exchanges.length > 0 && (await asked.last(exchanges, turn.createdAt))?.kind === 'home.asked';

  const find = async (question: Question) => {
    const understood = await control.read(question.turn.text);
    // Doubtful words must not do what cannot be undone: whoever asks back comes next.
    if (!question.turn.isSure && !understood.every(isHarmless)) return null;
    if (understood.length > 0) return await control.answer(understood, question);
    if (question.turn.isSure && (await wasAsked(question))) return await control.goOn(question);
    return control.refuseLater(question);
  };

  return {
    name: 'home',
    async respond(question) {
      const found = await find(question);
      if (!found) return null;
      question.say(found.text);
      return plainAnswer(found.text);
    },
  };
}

/** What is asked does nothing, and what is switched is switched back by a word. */
function isHarmless({ isQuestion, isUnknown, intent }: Understood): boolean {
  return isQuestion || (!isUnknown && (intent === 'on' || intent === 'off'));
}
