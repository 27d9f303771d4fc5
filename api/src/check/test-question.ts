import { durationMs, type Pcm, toNumbers } from '../audio/pcm.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { Reply } from '../turn/turn.ts';
import { type Finding, failed, fine, seconds, warning } from './step.ts';
import { hasOneOf, shareTranscribed } from './words.ts';

/** Spoken, transcribed and answered in each check. Every usable model knows the answer. */
export interface TestQuestion {
  question: string;
  /** The answer must contain one of these words. */
  answer: readonly string[];
}

/**
 * Thresholds for the share of recognized words: below `understood` some words were lost, below `hardly` the
 * transcript is wrong.
 */
export const understood = 0.8;
const hardly = 0.5;

/** Bounds of valid speech: minimum RMS level (of 32768), and the length of our sentence. */
const quietLevel = 50;
const spokenMs = { min: 400, max: 15_000 };

/** A transcript of the spoken question. */
export interface QuestionTranscript {
  text: string;
  /** Share of the question's words in the transcript. */
  share: number;
  tookMs: number;
}

/** Judges the recognition by its best transcript. */
export function judgeHearing({ text, share, tookMs }: QuestionTranscript, question: string): Finding {
  if (share >= understood) return fine(`It heard every word in ${seconds(tookMs)}.`);
  const message = `The speech recognition heard "${cut(text)}" instead of "${question}"`;
  return share >= hardly
    ? warning(`${message}.`, 'A larger model hears better: "make models".')
    : failed(`${message}.`, again('stt'));
}

/** Judges the language model's answer. An answer from a rule does not test the model. */
export function judgeAnswer(
  { via, text }: Pick<Reply, 'via' | 'text'>,
  question: TestQuestion,
  tookMs: number,
): Finding {
  if (via !== 'local') {
    return warning(
      `"${via}" answered the question meant for the language model.`,
      'A rule of your household matches a sentence that it should not match.',
    );
  }
  const knows = `It knows the answer to "${question.question}", and said so in ${seconds(tookMs)}.`;
  return wrongAnswer(text, question) ?? fine(knows);
}

/** A whole turn, from the spoken question to the spoken answer. */
interface SpokenTurn {
  reply: Pick<Reply, 'heard' | 'text'>;
  /** Durations of the stages, in ms. */
  spans: { stt?: number; llm?: number };
  /** Null: no voice spoke. */
  firstSoundMs: number | null;
  tookMs: number;
}

/** Judges a spoken turn by its first stage that failed. */
export function judgeTurn(
  { reply, spans, firstSoundMs, tookMs }: SpokenTurn,
  question: TestQuestion,
): Finding {
  const transcript = reply.heard ?? '';
  const share = shareTranscribed(question.question, transcript);
  const misheard = `The speech recognition heard a spoken question as "${cut(transcript)}"`;
  if (share < hardly) return failed(`${misheard}.`, again('stt'));
  const wrong = wrongAnswer(reply.text, question);
  // A wrong transcript explains a wrong answer, so the language model is not to blame.
  if (wrong && share < 1)
    return warning(
      `${misheard}, so that is what was answered.`,
      'A larger model hears better: "make models".',
    );
  if (wrong) return wrong;
  if (firstSoundMs === null) {
    return warning('A spoken question got a written answer, but no voice spoke it.', again('tts'));
  }
  return fine(
    `Heard in ${seconds(spans.stt ?? 0)}, answered in ${seconds(spans.llm ?? 0)}, first sound after ${seconds(firstSoundMs)}, all of it after ${seconds(tookMs)}.`,
  );
}

function wrongAnswer(text: string, { question, answer }: TestQuestion): Finding | undefined {
  if (hasOneOf(text, answer)) return undefined;
  return failed(
    `Asked "${question}", the language model said "${cut(text)}".`,
    `Choose a better model with "make models", or start it again: ${again('llm')}`,
  );
}

/** Whether a sound can be the spoken question: not silent, and of plausible length. */
export function isSpeech(sound: Pcm | null): sound is Pcm {
  if (!sound) return false;
  const lengthMs = durationMs(sound);
  if (lengthMs < spokenMs.min || lengthMs > spokenMs.max) return false;
  const numbers = toNumbers(sound.samples);
  const power = numbers.reduce((sum, number) => sum + number * number, 0) / numbers.length;
  return Math.sqrt(power) > quietLevel;
}

export function again(what: EngineName): string {
  return `Look at the lines of "${what}" in "make logs", and start it again: "make down", then "make up" or "make run".`;
}

/** Shortens an engine's text for a message. */
export function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}
