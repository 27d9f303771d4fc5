import type { ScoredSegment, ScoredText, TimedWord, Transcription } from './stt-transcription.ts';

/** The transcript, and whether the server may act on it. */
export interface Transcript {
  /** Empty if no one spoke. */
  text: string;
  /** False if the person may have said something else: confirm before acting. */
  isSure: boolean;
  /** The lowest mean log probability per token of a segment. Missing if the server sends no scores. */
  avgLogprob?: number | undefined;
  /** Alternative transcripts, most likely first; missing if none are known. */
  alternatives?: readonly Pick<Transcript, 'text' | 'isSure'>[];
  /** The words and their scores, if requested. */
  words?: readonly TimedWord[];
  /** The scores of the requested texts. */
  phrases?: readonly ScoredText[];
}

interface Expected {
  /** Sentences that Whisper writes for sound without speech. */
  hallucinations: readonly string[];
  /** The prompt given to the model, which may repeat it on noise. */
  hint?: string | undefined;
}

/**
 * Whisper's own thresholds (`no_speech_threshold`, `logprob_threshold`, `compression_ratio_threshold` of its
 * reference code).
 */
const noSpeech = 0.6;
const guess = -1;
const repetition = 2.4;
/** Above this no-speech probability, a known hallucination is dropped. */
const hallucinationNoSpeech = 0.3;

/**
 * Measured with tiny.en and a hint on 752 sounds, 560 of them degraded. Of 374 right texts, 363 have less
 * doubt, among them all 80 clear ones. Of 319 wrong texts, 123 have less doubt (182 with a limit on the score
 * alone). Only 5 of those would have caused a different action.
 */
const maxDoubt = 2.5;
/**
 * The same limit for a text that repeats a sentence of the hint. Spoken sentences scored below this in 76 of
 * 78 cases, even in noise. Hallucinations scored 1.8 or more.
 */
const maxDoubtOfAHint = 1.6;
/** Longer texts get no stricter limit: they are questions or stories, not commands. */
const maxCharacters = 100;

/**
 * The words that were really said. Drops segments whose scores show no speech or repetition. Drops a text
 * that is only a known hallucination, unless the model is sure of it. Without scores the text is trusted,
 * except for likely inventions.
 */
export function transcriptOf(
  transcription: Transcription,
  { hallucinations, hint = '' }: Expected,
): Transcript {
  const { segments, reason } = transcription;
  const said = segments.filter((segment) => hasWords(segment.text) && !isNothing(segment));
  const isWhole = said.length === segments.length;
  const text = isWhole ? transcription.text : said.map((segment) => segment.text).join(' ');
  if (!hasWords(text)) return { text: '', isSure: false };

  const doubt = doubtOf(text, said);
  const isSure = reason !== 'low_confidence' && doubt <= maxDoubt;
  if (isHallucination(text, hallucinations) && !(isSure && isSpeech(said)))
    return { text: '', isSure: false };
  return {
    text,
    isSure: isSure && (doubt <= maxDoubtOfAHint || !isFromHint(text, hint)),
    ...scoreOf(said),
    ...alternativesOf(transcription, { hallucinations, hint }),
    ...(transcription.words && { words: transcription.words }),
    ...(transcription.phrases && { phrases: transcription.phrases }),
  };
}

/**
 * Whether the last words of a transcript are certain. A misspelled wake word lowers the score of the whole.
 * The scores of the words after it can replace that score.
 */
export function isSureOfEnd({ isSure, words = [] }: Transcript, end: string): boolean {
  const count = end.split(/\s+/u).filter(hasWords).length;
  const scores = words
    .filter(({ text }) => hasWords(text))
    .slice(-count)
    .flatMap(({ probability }) => (probability === null ? [] : Math.log(probability)));
  if (isSure || count === 0 || scores.length < count) return isSure;
  return doubtIn(end, scores.reduce((sum, score) => sum + score, 0) / count) <= maxDoubt;
}

/**
 * The timed words of a recording, for reading and not for acting. Drops only segments without speech.
 * Repetition stays, because people do count and sing.
 */
export function timedTranscriptOf(
  transcription: Transcription,
  expected: Expected,
): Required<Pick<Transcription, 'text' | 'language' | 'hasVoice' | 'segments' | 'words'>> &
  Pick<Transcript, 'isSure'> {
  const { language, hasVoice, segments, words = [] } = transcription;
  const { isSure } = transcriptOf(transcription, expected);
  const said = segments.filter((segment) => hasWords(segment.text) && !isSilence(segment));
  const isWhole = said.length === segments.length;
  const text = isWhole ? transcription.text : said.map((segment) => segment.text).join(' ');
  const isNothing = !hasWords(text) || (isHallucination(text, expected.hallucinations) && !isSpeech(said));
  return isNothing
    ? { text: '', isSure: false, language, hasVoice, segments: [], words: [] }
    : { text, isSure, language, hasVoice, segments: said, words };
}

/**
 * Alternative texts that are credible alone, each as sure as its own score. Only sound with a single segment
 * has any.
 */
function alternativesOf(
  { alternatives = [], segments, reason }: Transcription,
  expected: Expected,
): Pick<Transcript, 'alternatives'> {
  const [segment, ...others] = segments;
  if (!segment || others.length > 0) return {};
  const transcripts = alternatives
    .map(({ text, avgLogprob }) =>
      transcriptOf(
        { text, language: null, hasVoice: false, reason, segments: [{ ...segment, text, avgLogprob }] },
        expected,
      ),
    )
    .filter(({ text }) => text !== '');
  return transcripts.length > 0 ? { alternatives: transcripts } : {};
}

function isNothing(segment: ScoredSegment): boolean {
  return isSilence(segment) || (segment.compressionRatio ?? 0) > repetition;
}

function isSilence({ noSpeechProb, avgLogprob }: ScoredSegment): boolean {
  return (noSpeechProb ?? 0) > noSpeech && (avgLogprob ?? guess) <= guess;
}

/**
 * Doubt from the lowest segment score. A short text is allowed a lower score, because it has fewer words to
 * get wrong.
 */
function doubtOf(text: string, segments: readonly ScoredSegment[]): number {
  const { avgLogprob } = scoreOf(segments);
  // No scores: sure, unless the text repeats the hint.
  return avgLogprob === undefined ? maxDoubt : doubtIn(text, avgLogprob);
}

function scoreOf(segments: readonly ScoredSegment[]): Pick<Transcript, 'avgLogprob'> {
  const scores = segments.flatMap(({ avgLogprob }) => avgLogprob ?? []);
  return scores.length === 0 ? {} : { avgLogprob: Math.min(...scores) };
}

function doubtIn(text: string, logProbability: number): number {
  return -logProbability * Math.sqrt(Math.min(text.length, maxCharacters));
}

function isHallucination(text: string, hallucinations: readonly string[]): boolean {
  return hallucinations.some((hallucination) => plain(hallucination) === plain(text));
}

/** Whether the scores say that someone spoke. */
function isSpeech(segments: readonly ScoredSegment[]): boolean {
  return (
    segments.length > 0 && segments.every(({ noSpeechProb }) => (noSpeechProb ?? 1) <= hallucinationNoSpeech)
  );
}

function isFromHint(text: string, hint: string): boolean {
  const hinted = new Set(sentencesOf(hint));
  return sentencesOf(text).some((sentence) => hinted.has(sentence));
}

function sentencesOf(text: string): string[] {
  return text
    .split(/[.!?。！？]+/u)
    .map(plain)
    .filter(Boolean);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
