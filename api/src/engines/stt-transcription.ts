import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { parseAnswer } from './engine-client.ts';

export interface TranscriptionRequest {
  sound: Pcm;
  /** Sentences as the household says them, then what is there now: the model takes it for what was said before. */
  prompt?: string;
  /** Another model of the server than its first; null is that one. */
  model?: string | null;
  /** ISO 639-1; left out, the server decides. */
  language?: string;
  /** RFC 9218, 0 to 7: somebody who waits for an answer comes before a recording that can wait. */
  urgency?: number;
  /** Our own server's: only the quick look, in which what is doubtful is left out. Others pass it over. */
  window?: 'short';
  signal: AbortSignal;
}

/** How sure the model was of one stretch. Servers that do not tell leave the scores out. */
export interface ScoredSegment {
  text: string;
  /** Probability from 0 to 1 that nobody spoke. */
  noSpeechProb: number | null;
  /** Mean logarithm of the probability of its words; under -1 is a guess. */
  avgLogprob: number | null;
  /** How many times smaller zlib makes it; above 2.4 it repeats itself. */
  compressionRatio: number | null;
}

/** Another text for the same sound. */
interface ScoredText {
  text: string;
  avgLogprob: number | null;
}

export interface Transcription {
  text: string;
  segments: ScoredSegment[];
  language: string | null;
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
        no_speech_prob: z.number().nullish(),
        avg_logprob: z.number().nullish(),
        compression_ratio: z.number().nullish(),
      }),
    )
    .nullish(),
  hearth: z
    .object({
      reason: z.string().nullish(),
      alternatives: z.array(z.object({ text: z.string(), avg_logprob: z.number().nullish() })).nullish(),
    })
    .nullish(),
});

/** The body of a request for a transcription. Fields that not every server knows are left out unless they were asked for. */
export function transcriptionForm(
  { sound, prompt, language, window }: TranscriptionRequest,
  model: string,
): { type: string; body: Buffer } {
  const fields = {
    model,
    response_format: 'verbose_json',
    ...(prompt && { prompt }),
    ...(language && { language }),
    ...(window && { window }),
  };
  return multipart(fields, writeWav(sound));
}

/** A server's answer. `isOwn`: our own server gave it, which answers `/health` beside its work; not every other does. */
export function readTranscription(answer: unknown): { transcription: Transcription; isOwn: boolean } {
  const { text, segments, language, hearth } = parseAnswer('stt', transcriptionSchema, answer);
  const alternatives = hearth?.alternatives ?? [];
  const transcription = {
    text: text.trim(),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(scoredText) }),
    language: language ?? null,
    reason: hearth?.reason ?? null,
    segments: (segments ?? []).map((segment) => ({
      text: segment.text.trim(),
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
  return { text: text.trim(), avgLogprob: avg_logprob ?? null };
}

/** A form with one WAV file in it. Written by hand: the bytes are there already, and a body of one piece is sent at once. */
function multipart(fields: Record<string, string>, wav: Buffer): { type: string; body: Buffer } {
  const boundary = `hearth-${randomUUID()}`;
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const file = `${part('name="file"; filename="speech.wav"')}content-type: audio/wav\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
