import type { Exchange } from '../../conversations/exchange.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { Reply, Turn } from '../../turn/turn.ts';

/** A turn whose words are known. */
export type AskedTurn = Turn & { text: string };

/** A sentence that a skill has understood. */
export interface Ask {
  turn: AskedTurn;
  /** The household's settings when the turn began. */
  settings: Pipeline;
  /** The conversation so far, oldest first. */
  exchanges: readonly Exchange[];
  signal: AbortSignal;
  /**
   * Resolves when the turn is certain; await it immediately before you act. Rejects when the turn is over.
   * Without `onlyReads` the turn counts from then on as one that may have acted.
   */
  certain: (options?: { onlyReads?: boolean }) => Promise<void>;
}

/** The author of some words, where the responder that was asked did not write them. */
export interface Author {
  /** A language model wrote them. */
  isModel?: true;
  /** The name of the responder that wrote them. */
  via?: string;
}

/** A turn's question, ready to be answered. */
export interface Question extends Ask {
  /** The words asked behind the context line: what the conversation keeps. */
  message: string;
  /** Called with words of the answer as soon as they are certain, in order; together they are the answer. */
  say: (words: string, author?: Author) => void;
}

export interface Answer extends Pick<Reply, 'text' | 'finish' | 'usage' | 'timings' | 'steps'> {
  /** How many of the oldest exchanges no longer fit and are left out from now on. */
  dropped: number;
  /**
   * The answer for the conversation to keep, where the model's part of it is more than the words that were
   * said.
   */
  kept?: Pick<Exchange, 'assistant' | 'rounds' | 'isAside' | 'missing'>;
  /** The answer is Hearth's own words: no language model wrote it. */
  isOurs?: true;
  /** The words that it answers, where others were meant than those of the turn. */
  heard?: string;
  /** The conversation is to keep nothing of this turn. */
  isUnkept?: true;
  /** The name of the responder that answered, where the one that was asked passed the question to it. */
  via?: string;
}

/** An answer by fixed rules: no tokens were read or written for it. */
export function plainAnswer(text: string, kept?: Answer['kept']): Answer {
  const usage = { prompt: 0, cached: 0, answer: 0 };
  return { text, finish: 'stop', usage, timings: {}, dropped: 0, isOurs: true, ...(kept && { kept }) };
}

/** The version for the conversation that a language model without tools never sees. */
export function aside(assistant: string): NonNullable<Answer['kept']> {
  return { assistant, isAside: true };
}

/** May answer a question. `null`: the question is not for this one, ask the next. */
export interface Responder {
  /** Its name, which callers get as `via`. */
  name: string;
  respond(question: Question): Promise<Answer | null>;
}

/** The predicted outcome of a question. */
export interface Foreseen {
  /** It would act: all checks so far passed. */
  acts: boolean;
  /** The answer to a question that does not act. */
  text: string;
}

/** A responder that can be asked for its outcome: it changes nothing before `certain()` resolves. */
export interface PredictableResponder extends Responder {
  /** A dry run, which neither acts nor speaks. Null: the question is not for this one. */
  foresee(question: Question): Promise<Foreseen | null>;
}

/**
 * Asks one after the other; the first that accepts has answered. `say` hears its words, and its name with
 * them.
 */
export async function firstAnswer(
  responders: readonly Responder[],
  question: Omit<Question, 'say'>,
  say: (words: string, by: { via: string; isOurs: boolean }) => void,
): Promise<(Answer & { via: string }) | null> {
  for (const { name, respond } of responders) {
    question.signal.throwIfAborted();
    const answer = await respond({
      ...question,
      say: (words, { isModel = false, via = name } = {}) => say(words, { via, isOurs: !isModel }),
    });
    if (answer) return { ...answer, via: answer.via ?? name };
  }
  return null;
}
