import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { parseAnswer } from './engine-client.ts';
import { withoutMarks, wordsWithoutMarks } from './transcript-marks.ts';

export interface TranscriptionRequest {
  sound: Pcm;
  /** Sentences as the household says them, then what is there now: the model takes it for what was said before. */
  prompt?: string | undefined;
  /** Another model of the server than its first; null is that one. */
  model?: string | null;
  /** ISO 639-1; left out, the server decides. */
  language?: string | undefined;
  /** RFC 9218, 0 to 7: somebody who waits for an answer comes before a recording that can wait. */
  urgency?: number;
  /**
   * Our own server's; others pass it over. `short`: only the quick look, in which what is doubtful is left out. `full`: only the thorough one, which
   * knows the times of segments.
   */
  window?: 'short' | 'full';
  /** The times of words are wanted too. */
  words?: boolean | undefined;
  /** 0 to 1; left out, the likeliest text. */
  temperature?: number | undefined;
  /** Into English, whatever is spoken. */
  translates?: boolean | undefined;
  signal: AbortSignal;
}

/** How sure the model was of one stretch. Servers that do not tell leave the scores and times out. */
export interface ScoredSegment {
  text: string;
  /** Seconds from the beginning of the sound. */
  startS: number | null;
  endS: number | null;
  /** Probability from 0 to 1 that nobody spoke. */
  noSpeechProb: number | null;
  /** Mean logarithm of the probability of its words; under -1 is a guess. */
  avgLogprob: number | null;
  /** How many times smaller zlib makes it; above 2.4 it repeats itself. */
  compressionRatio: number | null;
}

/** A word and when it was said, in seconds from the beginning of the sound. */
export interface TimedWord {
  text: string;
  startS: number;
  endS: number;
}

/** Another text for the same sound. */
interface ScoredText {
  text: string;
  avgLogprob: number | null;
}

export interface Transcription {
  text: string;
  segments: ScoredSegment[];
  /** Left out where their times were not asked for, or the server does not know them. */
  words?: TimedWord[];
  language: string | null;
  /** The server has looked itself whether anybody speaks. Only our own does. */
  hasVoice: boolean;
  /** What else may have been said, the likeliest first. Only our own server tells that. */
  alternatives?: ScoredText[];
  /** Why our own server looked twice, or heard nothing: `low_confidence` is a guess; null from other servers. */
  reason: string | null;
}

const transcriptionSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        text: z.string(),
        start: z.number().nullish(),
        end: z.number().nullish(),
        no_speech_prob: z.number().nullish(),
        avg_logprob: z.number().nullish(),
        compression_ratio: z.number().nullish(),
      }),
    )
    .nullish(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).nullish(),
  hearth: z
    .object({
      reason: z.string().nullish(),
      /** How sure Silero was that anybody spoke, from 0 to 1. */
      voice: z.number().nullish(),
      alternatives: z.array(z.object({ text: z.string(), avg_logprob: z.number().nullish() })).nullish(),
    })
    .nullish(),
});

/** The body of a request for a transcription. Fields that not every server knows are left out unless they were asked for. */
export function transcriptionForm(
  { sound, prompt, language, window, words, temperature }: TranscriptionRequest,
  model: string,
): { type: string; body: Buffer } {
  const granularity = 'timestamp_granularities[]';
  const fields: [string, string][] = [
    ['model', model],
    ['response_format', 'verbose_json'],
    ...optional('prompt', prompt),
    ...optional('language', language),
    ...optional('window', window),
    ...optional('temperature', temperature ? String(temperature) : undefined),
    ...(words ? [...optional(granularity, 'segment'), ...optional(granularity, 'word')] : []),
  ];
  return multipart(fields, writeWav(sound));
}

function optional(name: string, value: string | undefined): [string, string][] {
  return value ? [[name, value]] : [];
}

/** A server's answer. `isOwn`: our own server gave it, which answers `/health` beside its work; not every other does. */
export function readTranscription(answer: unknown): { transcription: Transcription; isOwn: boolean } {
  const { text, segments, words, language, hearth } = parseAnswer('stt', transcriptionSchema, answer);
  const alternatives = hearth?.alternatives ?? [];
  const transcription = {
    text: withoutMarks(text),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(scoredText) }),
    ...(words && {
      words: wordsWithoutMarks(
        words.map(({ word, start, end }) => ({ text: word.trim(), startS: start, endS: end })),
      ),
    }),
    language: language ?? null,
    hasVoice: Boolean(hearth?.voice),
    reason: hearth?.reason ?? null,
    segments: (segments ?? []).map((segment) => ({
      text: withoutMarks(segment.text),
      startS: segment.start ?? null,
      endS: segment.end ?? null,
      noSpeechProb: segment.no_speech_prob ?? null,
      avgLogprob: segment.avg_logprob ?? null,
      compressionRatio: segment.compression_ratio ?? null,
    })),
  };
  return { transcription, isOwn: Boolean(hearth) };
}

function scoredText({
  text,
  avg_logprob,
}: {
  text: string;
  avg_logprob?: number | null | undefined;
}): ScoredText {
  return { text: withoutMarks(text), avgLogprob: avg_logprob ?? null };
}

/** A form with one WAV file in it. Written by hand: the bytes are there already, and a body of one piece is sent at once. */
function multipart(
  fields: readonly (readonly [string, string])[],
  wav: Buffer,
): { type: string; body: Buffer } {
  const boundary = `hearth-${randomUUID()}`;
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`;
  const texts = fields.map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const file = `${part('name="file"; filename="speech.wav"')}content-type: audio/wav\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
