import { askedWords } from '../../../conversations/exchange.ts';
import type { HouseholdQuestions, PendingQuestion } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { isOpen } from './timer-asks.ts';
import type { TimerReply } from './timers-shape.ts';

/** Number of turns in between after which the question is forgotten. */
const maxBetween = 2;

interface TimerOpenQuestionOptions {
  pendingQuestions: HouseholdQuestions;
  /** Whether a text begins like a question. */
  isQuestion: (text: string) => boolean;
  reply: SayReply<TimerReply>;
}

export type TimerOpenQuestion = ReturnType<typeof createTimerOpenQuestion>;

/**
 * The question that a sentence may answer. A question for a time stays open while the person asks something
 * else.
 */
export function createTimerOpenQuestion({ pendingQuestions, isQuestion, reply }: TimerOpenQuestionOptions) {
  const last = async ({ exchanges, turn }: Ask): Promise<PendingQuestion | null> => {
    for (let between = 0; between <= maxBetween; between += 1) {
      const until = exchanges.slice(0, exchanges.length - between);
      const question = await pendingQuestions.last(until, turn.createdAt);
      if (question) return between === 0 || isOpen(question) ? question : null;
      const said = until.at(-1);
      if (!said || !isQuestion(askedWords(said))) return null;
    }
    return null;
  };

  return {
    last,
    /** Asks again for a time, after an answer without one: "later". Null: no such question is open. */
    async askAgain(ask: Ask, answer: { room?: string } = {}): Promise<string | null> {
      const question = await last(ask);
      if (!question || !isOpen(question)) return null;
      if (question.isRepeated) return reply('not_set', {}, ask.turn);
      await pendingQuestions.note(ask.turn, { ...question, ...answer, isRepeated: true });
      return reply('when_again', {}, ask.turn);
    },
  };
}
