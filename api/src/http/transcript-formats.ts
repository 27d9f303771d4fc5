import type { TimedTranscript } from '../turn/transcription-options.ts';
import type { components } from './contract-types.ts';

type Response = components['schemas']['TranscriptionResponse'];

export const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** The transcript of a whole recording and its length. */
export interface WholeTranscript extends TimedTranscript {
  seconds: number;
}

/** Joins the transcripts of a recording's pieces. Each piece carries the second at which it begins. */
export function joinTranscripts(
  pieces: readonly { transcript: TimedTranscript; fromS: number }[],
  seconds: number,
): WholeTranscript {
  const later = (time: number | null, fromS: number) => (time === null ? null : time + fromS);
  return {
    text: pieces
      .map(({ transcript }) => transcript.text)
      .filter(Boolean)
      .join(' '),
    language: pieces.find(({ transcript }) => transcript.language)?.transcript.language ?? null,
    hasVoice: pieces.some(({ transcript }) => transcript.hasVoice),
    segments: pieces.flatMap(({ transcript, fromS }) =>
      transcript.segments.map((segment) => ({
        ...segment,
        startS: later(segment.startS, fromS),
        endS: later(segment.endS, fromS),
      })),
    ),
    words: pieces.flatMap(({ transcript, fromS }) =>
      transcript.words.map(({ text, startS, endS }) => ({
        text,
        startS: startS + fromS,
        endS: endS + fromS,
      })),
    ),
    seconds,
  };
}

/** OpenAI bills by the second of sound, and its clients show that. */
function usageOf({ seconds }: Pick<WholeTranscript, 'seconds'>): NonNullable<Response['usage']> {
  return { type: 'duration', seconds: Math.ceil(seconds) };
}

export function asJson(transcript: WholeTranscript): Response {
  return { text: transcript.text, usage: usageOf(transcript) };
}

export function asVerboseJson(
  transcript: WholeTranscript,
  { segments, words, isTranslated }: { segments: boolean; words: boolean; isTranslated: boolean },
): Response {
  return {
    task: isTranslated ? 'translate' : 'transcribe',
    // The language of the text, not of the speech.
    language: isTranslated ? 'en' : (transcript.language ?? ''),
    duration: rounded(transcript.seconds),
    text: transcript.text,
    ...(segments && { segments: transcript.segments.map(segmentOf(transcript.seconds)) }),
    ...(words && {
      words: transcript.words.map(({ text, startS, endS }) => ({
        word: text,
        start: rounded(startS),
        end: rounded(endS),
      })),
    }),
    usage: usageOf(transcript),
  };
}

/** SubRip, as players read it. */
export function asSrt(transcript: WholeTranscript): string {
  return cuesOf(transcript)
    .map(({ start, end, text }, at) => `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`)
    .join('\n');
}

/** WebVTT (https://www.w3.org/TR/webvtt1/), which gives some characters a special meaning. */
export function asVtt(transcript: WholeTranscript): string {
  const cues = cuesOf(transcript).map(({ start, end, text }) => {
    const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;');
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${plain}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

type Segment = TimedTranscript['segments'][number];

function segmentOf(seconds: number) {
  return (segment: Segment, id: number): NonNullable<Response['segments']>[number] => ({
    id,
    seek: 0,
    start: rounded(segment.startS ?? 0),
    end: rounded(segment.endS ?? seconds),
    text: segment.text,
    tokens: [],
    temperature: 0,
    avg_logprob: segment.avgLogprob ?? 0,
    compression_ratio: segment.compressionRatio ?? 0,
    no_speech_prob: segment.noSpeechProb ?? 0,
  });
}

function cuesOf({ segments, seconds }: WholeTranscript) {
  return segments.map(({ text, startS, endS }) => ({ text, start: startS ?? 0, end: endS ?? seconds }));
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** For example "00:01:02,500". */
function clock(seconds: number, mark: ',' | '.'): string {
  const ms = Math.round(seconds * 1_000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const whole = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}`;
  return `${whole}${mark}${String(ms % 1_000).padStart(3, '0')}`;
}
