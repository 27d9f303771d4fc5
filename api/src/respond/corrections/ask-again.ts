import { wholeAnswer } from '../../conversations/exchange.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { Say } from '../../language/phrases.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { type Answer, firstAnswer, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import { isSpoken, phoneticDistance } from './near-words.ts';

/** Longer answers are passed on: they are rarely a misheard name or value. */
const maxWords = 4;

/** So few words are an answer, even if they look like a request ("green") or a question ("Tea?"). */
const maxBareWords = 2;

/** Minimum distance between the nearest word and the next one. */
const clearly = 0.05;

interface AskAgainOptions {
  pendingQuestions: Pick<HouseholdQuestions, 'last' | 'note'>;
  grammar: Pick<Grammar, 'readWords' | 'beginsToAsk'>;
  /** Whether the words have the form of a question or a request. */
  mayBeRequest: (question: Pick<Question, 'turn' | 'exchanges'>) => boolean;
  /** Whether a question of this kind is answered by yes or no, so that it offers no words. */
  takesYes: (kind: string) => boolean;
  soundsOf: (word: string) => string;
  /** They take the answers to questions. */
  responders: readonly Responder[];
  say: Say;
}

/**
 * Takes a short answer that no rule understood: "the green one". A spoken one may sound like words of the
 * question ("pastor" for "pasta"), and is answered as these. After any other the pending question is
 * repeated, because the language model would have to guess. A second such answer ends the question. It comes
 * after all rules.
 */
export function createAskAgainResponder(options: AskAgainOptions): Responder {
  const { pendingQuestions, grammar, mayBeRequest, takesYes, soundsOf, responders, say } = options;
  const distance = phoneticDistance(soundsOf);

  const wordsOf = (text: string) => grammar.readWords(text).map(({ word }) => word);

  const mayBeAnswer = ({ turn, exchanges }: Question, asked: string): boolean => {
    const words = grammar.readWords(turn.text);
    if (words.length <= maxBareWords) return !grammar.beginsToAsk(words);
    if (words.length > maxWords) return false;
    // "Tea or pasta" repeats the question, though "tea" could be a verb.
    const known = new Set(wordsOf(asked));
    return words.every(({ word }) => known.has(word)) || !mayBeRequest({ turn, exchanges });
  };

  /** The only word of the question that sounds like this one. */
  const soundAlike = (word: string, asked: ReadonlySet<string>): string | null => {
    if (asked.has(word)) return word;
    const near = [...asked].flatMap((each) => {
      const apart = distance(word, each);
      return apart === null ? [] : { each, apart };
    });
    const [first, next] = near.toSorted((one, other) => one.apart - other.apart);
    return first && (!next || next.apart > first.apart + clearly) ? first.each : null;
  };

  /** The answer in words of the question. Null: not all of its words sound like one of them. */
  const inWordsAsked = (text: string, asked: string): string | null => {
    const known = new Set(wordsOf(asked));
    const alike = wordsOf(text).map((word) => soundAlike(word, known));
    return alike.length > 0 && alike.every((word) => word !== null) ? alike.join(' ') : null;
  };

  const answerAlike = async (question: Question, asked: string): Promise<Answer | null> => {
    const { turn, say: tell } = question;
    const text = isSpoken(turn.source) ? inWordsAsked(turn.text, asked) : null;
    if (text === null) return null;
    const meant = { ...question, turn: { ...turn, text } };
    const answer = await firstAnswer(responders, meant, (words, { via, isOurs }) =>
      tell(words, { via, ...(!isOurs && { isModel: true }) }),
    );
    return answer && { ...answer, heard: text };
  };

  return {
    name: 'skills',
    async respond(question) {
      const { turn, exchanges } = question;
      const asked = exchanges.at(-1);
      if (!asked?.isOurs || !mayBeAnswer(question, wholeAnswer(asked))) return null;
      const open = await pendingQuestions.last(exchanges, turn.createdAt);
      if (open === null) return null;
      const words = wholeAnswer(asked);
      const answer = takesYes(open.kind) ? null : await answerAlike(question, words);
      if (answer) return answer;
      const before = exchanges.at(-2);
      const wasRepeated = before !== undefined && words.endsWith(wholeAnswer(before));
      if (!wasRepeated) await pendingQuestions.note(turn, open);
      const text = wasRepeated ? say('gave_up', {}, turn.id) : say('ask_again', { question: words }, turn.id);
      question.say(text);
      return plainAnswer(text);
    },
  };
}
