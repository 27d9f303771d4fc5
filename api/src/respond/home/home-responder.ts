import type { HouseholdQuestions } from '../core/household-questions.ts';
import { plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { HomeTalk } from './home-control.ts';
import type { HomeResult } from './home-result.ts';
import type { Understood } from './understand/understood.ts';

interface HomeResponderOptions {
  control: Pick<HomeTalk, 'doIf' | 'ask' | 'read' | 'answer' | 'goOn' | 'passOn' | 'refuseLater'>;
  asked: Pick<HouseholdQuestions, 'last'>;
}

/**
 * Sends commands and questions about the house to Home Assistant. Only plain ones go there, because it finds
 * a match for much else.
 */
export function createHomeResponder({ control, asked }: HomeResponderOptions): Responder {
  const wasAsked = async ({ exchanges, turn }: Question): Promise<boolean> =>
    exchanges.length > 0 && (await asked.last(exchanges, turn.createdAt))?.kind === 'home.asked';

  const find = async (question: Question): Promise<HomeResult | null> => {
    const told = await control.ask(question);
    if (told) return told;
    const understood = await control.read(question.turn.text);
    // Doubtful words must not cause anything irreversible. The next responder asks back.
    if (!question.turn.isSure && !understood.every(isHarmless)) return null;
    if (understood.length > 0) return await control.answer(understood, question);
    if (question.turn.isSure && (await wasAsked(question))) return await control.goOn(question);
    const refused = control.refuseLater(question);
    // Doubtful words must not cause anything irreversible.
    return refused ?? (question.turn.isSure ? await control.passOn(question) : null);
  };

  return {
    name: 'home',
    async respond(question) {
      const conditional = question.turn.isSure ? await control.doIf(question) : null;
      const found = conditional ?? (await find(question));
      if (!found) return null;
      question.say(found.text);
      const answer = plainAnswer(found.text);
      return found.kept === undefined
        ? answer
        : { ...answer, kept: { assistant: found.kept, isAside: true } };
    },
  };
}

/** Questions change nothing, and one word reverts these commands. */
function isHarmless({ isQuestion, isUnknown, intent }: Understood): boolean {
  return isQuestion || (!isUnknown && (intent === 'on' || intent === 'off'));
}
