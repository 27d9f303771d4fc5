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

export const exchangeSchema = z.object({
  /**
   * The user message exactly as it was sent, with the context line. The next prompt must begin with the same
   * bytes.
   */
  user: z.string(),
  assistant: z.string(),
  /** The tool calls between the question and the answer. */
  rounds: z.array(roundSchema).optional(),
  /** The turn it comes from. */
  turn: z.string().optional(),
  /** When it was asked, as Unix time in ms. */
  at: z.number().optional(),
  /** A refusal by a rule. The model never sees it, because a model too small for tools would repeat it. */
  isAside: z.boolean().optional(),
  /** Hearth wrote the answer, by a rule or from a tool result. The language model must not imitate it. */
  isOurs: z.boolean().optional(),
  /** Offset of the person's own words in `user`, after the context line. */
  wordsFrom: z.number().optional(),
});

/** A question and its answer, as the language model saw and wrote them. */
export type Exchange = z.infer<typeof exchangeSchema>;
