import type { ScoredSegment, Transcription } from './stt-client.ts';

/** Whisper's own thresholds (`no_speech_threshold`, `logprob_threshold`, `compression_ratio_threshold` of its reference code). */
const noSpeech = 0.6;
const guess = -1;
const repetition = 2.4;

/** What Whisper invents when there is nothing to hear, from the captions that it learned from. */
const phantoms = new Set([
  'you',
  'bye',
  'bye bye',
  'thank you',
  'thanks for watching',
  'thank you for watching',
  'thank you very much',
  'please subscribe',
  'subtitles by the amara org community',
]);
/** Below this a phantom phrase is believed not to have been said. */
const phantomNoSpeech = 0.3;

/**
 * The words that were really said: stretches whose scores say that nobody spoke, or that repeat themselves, are left out, and so is a
 * phantom phrase that is all there is unless the model is sure of it. Empty when nothing was said.
 */
export function wordsHeard({ text, segments }: Transcription): string {
  if (segments.length === 0) return hasWords(text) ? text : '';
  const said = segments.filter((segment) => hasWords(segment.text) && !isNothing(segment));
  const words = said.length === segments.length ? text : said.map((segment) => segment.text).join(' ');
  const doubtful = said.some(({ noSpeechProb }) => (noSpeechProb ?? 0) > phantomNoSpeech);
  return doubtful && phantoms.has(plain(words)) ? '' : words;
}

function isNothing({ noSpeechProb, avgLogprob, compressionRatio }: ScoredSegment): boolean {
  const isSilence = (noSpeechProb ?? 0) > noSpeech && (avgLogprob ?? guess) <= guess;
  return isSilence || (compressionRatio ?? 0) > repetition;
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
