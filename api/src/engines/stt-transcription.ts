import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { parseAnswer } from './engine-client.ts';
import { withoutMarks, wordsWithoutMarks } from './transcript-marks.ts';

export interface TranscriptionRequest {
  sound: Pcm;
  /** Example sentences of the household, then its current state. The model takes them for earlier speech. */
  prompt?: string | undefined;
  /** Another model of the server; null means its first. */
  model?: string | null;
  /** ISO 639-1; if missing, the server decides. */
  language?: string | undefined;
  /** RFC 9218, 0 to 7: a waiting person comes before a recording that can wait. */
  urgency?: number;
  /**
   * Only our own server reads this. `short`: the quick pass alone, which drops doubtful words. `full`: the
   * thorough pass alone, which times segments.
   */
  window?: 'short' | 'full';
  /** Texts to score. Only our own server does. */
  phrases?: readonly string[] | undefined;
  /** Also return the times of words. */
  words?: boolean | undefined;
  /** 0 to 1; if missing, the most likely text. */
  temperature?: number | undefined;
  /** Translate into English from any language. */
  translates?: boolean | undefined;
  signal: AbortSignal;
}

/** How sure the model was of one segment. Some servers leave out the scores and times. */
export interface ScoredSegment {
  text: string;
  /** Seconds from the start of the sound. */
  startS: number | null;
  endS: number | null;
  /** Probability, 0 to 1, that the segment holds no speech. */
  noSpeechProb: number | null;
  /** Mean log probability of its tokens; under -1 is a guess. */
  avgLogprob: number | null;
  /** zlib's compression ratio of the text; above 2.4 the text repeats itself. */
  compressionRatio: number | null;
}

/** A word and its time, in seconds from the start of the sound. */
export interface TimedWord {
  text: string;
  startS: number;
  endS: number;
  /** 0 to 1; null if the server does not report it. */
  probability: number | null;
}

/** A text for the sound. */
export interface ScoredText {
  text: string;
  /** Mean log probability of its tokens. */
  avgLogprob: number | null;
}

export interface Transcription {
  text: string;
  segments: ScoredSegment[];
  /** Missing if not requested, or if the server does not know the times. */
  words?: TimedWord[];
  language: string | null;
  /** The server checks for speech itself. Only our own does. */
  hasVoice: boolean;
  /** Alternative transcripts, most likely first. Only our own server reports them. */
  alternatives?: ScoredText[];
  /** The requested texts with their scores. Missing for a long sound. */
  phrases?: ScoredText[];
  /**
   * Why our own server ran a second pass, or heard nothing. `low_confidence` is a guess; other servers give
   * null.
   */
  reason: string | null;
}

const scoredTextSchema = z.object({ text: z.string(), avg_logprob: z.number().nullish() });

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
  words: z
    .array(
      z.object({
        word: z.string(),
        start: z.number(),
        end: z.number(),
        probability: z.number().nullish(),
      }),
    )
    .nullish(),
  hearth: z
    .object({
      reason: z.string().nullish(),
      /** Silero's probability of speech, 0 to 1. */
      voice: z.number().nullish(),
      alternatives: z.array(scoredTextSchema).nullish(),
      phrases: z.array(scoredTextSchema).nullish(),
    })
    .nullish(),
});

/** The body of a transcription request. Fields that some servers do not know are sent only on request. */
export function transcriptionForm(
  { sound, prompt, language, window, phrases = [], words, temperature }: TranscriptionRequest,
  model: string,
): { type: string; body: Buffer } {
  const granularity = 'timestamp_granularities[]';
  const fields: [string, string][] = [
    ['model', model],
    ['response_format', 'verbose_json'],
    ...optional('prompt', prompt),
    ...optional('language', language),
    ...optional('window', window),
    ...phrases.flatMap((phrase) => optional('phrases[]', phrase)),
    ...optional('temperature', temperature ? String(temperature) : undefined),
    ...(words ? [...optional(granularity, 'segment'), ...optional(granularity, 'word')] : []),
  ];
  return multipart(fields, writeWav(sound));
}

function optional(name: string, value: string | undefined): [string, string][] {
  return value ? [[name, value]] : [];
}

/**
 * Parses a server's answer. `isOwn`: the answer came from our own server, which answers `/health` during its
 * work. Not every other server does.
 */
export function readTranscription(answer: unknown): { transcription: Transcription; isOwn: boolean } {
  const { text, segments, words, language, hearth } = parseAnswer('stt', transcriptionSchema, answer);
  const alternatives = hearth?.alternatives ?? [];
  const phrases = hearth?.phrases ?? [];
  const transcription = {
    text: withoutMarks(text),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(scoredText) }),
    ...(phrases.length > 0 && { phrases: phrases.map(scoredText) }),
    ...(words && {
      words: wordsWithoutMarks(
        words.map(({ word, start, end, probability }) => ({
          ...{ text: word.trim(), startS: start, endS: end },
          probability: probability ?? null,
        })),
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

function scoredText({ text, avg_logprob }: z.infer<typeof scoredTextSchema>): ScoredText {
  return { text: withoutMarks(text), avgLogprob: avg_logprob ?? null };
}

/**
 * A form with one WAV file. Written by hand, because the bytes exist already and a body in one piece is sent
 * at once.
 */
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
