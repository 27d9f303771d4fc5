import { z } from 'zod';

/** OpenAI's own limit is lower; the recognition reads only the end of a long one. */
export const maxPromptCharacters = 16_000;

/** How a program wants its recording written down. */
export const dictationWishSchema = z.object({
  /** What is likely to be said; left out: the household's own words. */
  prompt: z.string().optional(),
  /** Left out: the language of the household. */
  language: z.string().optional(),
  temperature: z.number().optional(),
  /** Into English, whatever is spoken. */
  translates: z.boolean().optional(),
  /** The times of sentences are wanted, and those of words. */
  times: z.boolean(),
  words: z.boolean(),
});
export type DictationWish = z.infer<typeof dictationWishSchema>;

const known = z.number().nullable();

/** What was said in a recording, with the times at which it was said, in seconds from the beginning. Null: the engine does not tell. */
export const timedTranscriptSchema = z.object({
  text: z.string(),
  language: z.string().nullable(),
  /** The engine has looked itself whether anybody speaks. */
  hasVoice: z.boolean(),
  segments: z.array(
    z.object({
      text: z.string(),
      startS: known,
      endS: known,
      noSpeechProb: known,
      avgLogprob: known,
      compressionRatio: known,
    }),
  ),
  words: z.array(z.object({ text: z.string(), startS: z.number(), endS: z.number() })),
});
export type TimedTranscript = z.infer<typeof timedTranscriptSchema>;
