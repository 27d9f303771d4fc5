import type { Exchange } from '../../conversations/exchange.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { Reply, Turn } from '../../turn/turn.ts';

/** A turn whose words are known. */
export type TextTurn = Turn & { text: string };

/** A sentence that a skill has understood. */
export interface Ask {
  turn: TextTurn;
  /** The household's settings when the turn began. */
  settings: Pipeline;
  /** The conversation so far, oldest first. */
  exchanges: readonly Exchange[];
  signal: AbortSignal;
  /** Waits until the turn is confirmed. Rejects when the turn is over. */
  untilConfirmed: () => Promise<void>;
  /**
   * Await it immediately before you act. Waits until the turn is confirmed, and records that it may have
   * acted. Rejects when the turn is over, and in a dry run with `WouldAct`.
   */
  beginActing: () => Promise<void>;
}

/** The author of some words, if the responder did not write them itself. */
export interface Author {
  /** A language model wrote them. */
  isModel?: true;
  /** Name of the responder that wrote them. */
  via?: string;
}

/** A turn's question, ready to be answered. */
export interface Question extends Ask {
  /** The question after the context line. The conversation stores it. */
  message: string;
  /**
   * Publishes words of the answer, in order and as soon as they are certain. Together they are the answer.
   */
  say: (words: string, author?: Author) => void;
}

export interface Answer extends Pick<Reply, 'text' | 'finish' | 'usage' | 'timings' | 'steps' | 'ranOn'> {
  /** Number of the oldest exchanges that no longer fit into the prompt. */
  dropped: number;
  /** The answer to store in the conversation, if it differs from the spoken words. */
  kept?: Pick<Exchange, 'assistant' | 'rounds' | 'isAside' | 'missing'>;
  /** Hearth's own words: no language model wrote them. */
  isOurs?: true;
  /** The corrected question that it answers, if that differs from the turn's words. */
  heard?: string;
  /** The full request that the words abbreviate: "tell me a joke" for "another one". */
  readAs?: string;
  /** The conversation stores nothing of this turn. */
  isUnkept?: true;
  /** Name of the responder that answered, if this one passed the question on. */
  via?: string;
}

/** An answer by fixed rules, which uses no tokens. */
export function plainAnswer(text: string, kept?: Answer['kept']): Answer {
  const usage = { prompt: 0, cached: 0, answer: 0 };
  return { text, finish: 'stop', usage, timings: {}, dropped: 0, isOurs: true, ...(kept && { kept }) };
}

/** The stored version of an answer that a language model without tools never sees. */
export function aside(assistant: string): NonNullable<Answer['kept']> {
  return { assistant, isAside: true };
}

/** May answer a question. `null`: it does not handle the question, so ask the next one. */
export interface Responder {
  /** Its name; callers receive it as `via`. */
  name: string;
  respond(question: Question): Promise<Answer | null>;
}

/** Ends a dry run at the point where the responder would act. */
export class WouldAct extends Error {
  override readonly name = 'WouldAct';
}

/** The outcome of a dry run. */
export interface DryRunOutcome {
  /** It would act: all checks so far passed. */
  acts: boolean;
  /** The answer to a question that does not act. */
  text: string;
}

/** A responder with a dry run: it changes nothing before `beginActing()` resolves. */
export interface DryRunResponder extends Responder {
  /** Answers without acting or speaking. Null: it does not handle the question. */
  dryRun(question: Question): Promise<DryRunOutcome | null>;
}

/**
 * Asks the responders in order and returns the first answer. Passes each responder's words and name to `say`.
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
