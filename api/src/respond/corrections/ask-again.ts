import type { Grammar } from '../../language/grammar/grammar.ts';
import type { Say } from '../../language/phrases.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { plainAnswer, type Question, type Responder } from '../core/responder.ts';

/** Longer answers are passed on: they are rarely a misheard name or value. */
const maxWords = 4;

/** So few words are an answer, even if they look like a request ("green") or a question ("Tea?"). */
const maxBareWords = 2;

interface AskAgainOptions {
  pendingQuestions: Pick<HouseholdQuestions, 'last' | 'note'>;
  grammar: Pick<Grammar, 'readWords' | 'beginsToAsk'>;
  /** Whether the words have the form of a question or a request. */
  mayBeRequest: (question: Pick<Question, 'turn' | 'exchanges'>) => boolean;
  say: Say;
}

/**
 * Repeats a pending question after a short answer that no rule understood: "the green one". The language
 * model would have to guess. A second such answer ends the question. It comes after all rules.
 */
export function createAskAgainResponder(options: AskAgainOptions): Responder {
  const { pendingQuestions, grammar, mayBeRequest, say } = options;

  const mayBeAnswer = ({ turn, exchanges }: Question): boolean => {
    const words = grammar.readWords(turn.text);
    if (words.length <= maxBareWords) return !grammar.beginsToAsk(words);
    return words.length <= maxWords && !mayBeRequest({ turn, exchanges });
  };

  return {
    name: 'skills',
    async respond(question) {
      const { turn, exchanges } = question;
      const asked = exchanges.at(-1);
      if (!asked?.isOurs || !mayBeAnswer(question)) return null;
      const open = await pendingQuestions.last(exchanges, turn.createdAt);
      if (open === null) return null;
      const before = exchanges.at(-2)?.assistant ?? '';
      const wasRepeated = before !== '' && asked.assistant.endsWith(before);
      if (!wasRepeated) await pendingQuestions.note(turn, open);
      const text = wasRepeated
        ? say('gave_up', {}, turn.id)
        : say('ask_again', { question: asked.assistant }, turn.id);
      question.say(text);
      return plainAnswer(text);
    },
  };
}
