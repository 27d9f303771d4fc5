import { z } from 'zod';

/** OpenAI's limit is lower. The engine reads only the end of a long prompt. */
export const maxPromptCharacters = 16_000;

/** Options of a transcription request. */
export const transcriptionOptionsSchema = z.object({
  /** Words that are likely to occur. Default: the household's own words. */
  prompt: z.string().optional(),
  /** Default: the language of the household. */
  language: z.string().optional(),
  temperature: z.number().optional(),
  /** Translates into English, whatever the spoken language. */
  translates: z.boolean().optional(),
  /** Whether timestamps of sentences and words are wanted. */
  times: z.boolean(),
  words: z.boolean(),
});
export type TranscriptionOptions = z.infer<typeof transcriptionOptionsSchema>;

const known = z.number().nullable();

/** A transcript with times in seconds from the beginning. Null: the engine does not report it. */
export const timedTranscriptSchema = z.object({
  text: z.string(),
  /** Whether the person cannot have said something else. Missing for joined pieces. */
  isSure: z.boolean().optional(),
  language: z.string().nullable(),
  /** The engine itself has detected a voice. */
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
