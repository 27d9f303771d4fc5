import { z } from 'zod';

const roundSchema = z.object({
  /** The model's text before its calls. */
  content: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** The result of each call, as the model read it. */
  results: z.array(z.string()),
});

/** Tool calls that the language model made together, with their results, verbatim. */
export type Round = z.infer<typeof roundSchema>;

export const understandingSchema = z.object({
  /** The responder that answered. */
  via: z.string(),
  /** The matched rule: "lists: put". */
  rule: z.string().optional(),
  /** The names, numbers and times that filled the rule: "list=shopping". */
  names: z.array(z.string()).optional(),
  room: z.string().optional(),
  /** The transcript, if other words were answered. */
  heard: z.string().optional(),
  /** False: the transcript was doubtful. */
  isSure: z.boolean().optional(),
  /** Other possible transcripts, most likely first. */
  alternatives: z.array(z.string()).optional(),
});

/** How the words of a turn were understood. Stored with the words, so that it is forgotten with them. */
export type Understanding = z.infer<typeof understandingSchema>;

export const exchangeSchema = z.object({
  /**
   * The user message exactly as it was sent, with the context line. The next prompt must begin with the same
   * bytes.
   */
  user: z.string(),
  assistant: z.string(),
  /** Hearth's own answer as a whole, if the person interrupted it. `assistant` has only the played words. */
  whole: z.string().optional(),
  /** The tool calls between the question and the answer. */
  rounds: z.array(roundSchema).optional(),
  /** The turn it comes from. */
  turn: z.string().optional(),
  /** When it was asked, as Unix time in ms. */
  at: z.number().optional(),
  /** A refusal by a rule. The model never sees it, because a model too small for tools would repeat it. */
  isAside: z.boolean().optional(),
  /** The connection that the answer calls missing. A follow-up gets the same answer. */
  missing: z.string().optional(),
  /** Hearth wrote the answer, by a rule or from a tool result. The language model must not imitate it. */
  isOurs: z.boolean().optional(),
  /** Offset of the person's own words in `user`, after the context line. */
  wordsFrom: z.number().optional(),
  understood: understandingSchema.optional(),
});

/** A question and its answer, as the language model saw and wrote them. */
export type Exchange = z.infer<typeof exchangeSchema> & {
  /**
   * The record of the question that the answer asked; null: it asked none. Not stored in the exchange, but
   * read with the latest ones.
   */
  pendingQuestion?: string | null;
};

/** The answer with the words that an interruption left out. */
export function wholeAnswer({ assistant, whole = assistant }: Pick<Exchange, 'assistant' | 'whole'>): string {
  return whole;
}

/** The person's own words, without the context line. */
export function askedWords({ user, wordsFrom = 0 }: Pick<Exchange, 'user' | 'wordsFrom'>): string {
  return user.slice(wordsFrom);
}
