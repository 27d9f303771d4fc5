import { durationMs, type Pcm, toNumbers } from '../audio/pcm.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { Reply } from '../turn/turn.ts';
import { type Finding, failed, fine, seconds, warning } from './step.ts';
import { hasOneOf, shareTranscribed } from './words.ts';

/** Said, heard and answered in each check. A model that does not know the answer knows nothing. */
export interface TestQuestion {
  question: string;
  /** Words of which one has to be in the answer. */
  answer: readonly string[];
}

/** A recognition that hears less of a clear sentence than the lower share hears something else; below the upper share some words were lost. */
export const understood = 0.8;
export const hardly = 0.5;

/** Sound of a voice is louder than this in the middle (of 32768), and lasts so long for our sentence. */
const quietLevel = 50;
const spokenMs = { least: 400, most: 15_000 };

/** A sound of our question, as the speech recognition heard it. */
export interface HeardQuestion {
  text: string;
  /** Share of the question's words that were heard. */
  share: number;
  tookMs: number;
}

/** How the speech recognition did with the best voice that there is. */
export function judgeHearing({ text, share, tookMs }: HeardQuestion, question: string): Finding {
  if (share >= understood) return fine(`It heard every word in ${seconds(tookMs)}.`);
  const message = `The speech recognition heard "${cut(text)}" instead of "${question}"`;
  return share >= hardly
    ? warning(`${message}.`, 'A larger model hears better: "make models".')
    : failed(`${message}.`, again('stt'));
}

/** How the language model answered. An answer of a rule says nothing of the model. */
export function judgeAnswer(
  { via, text }: Pick<Reply, 'via' | 'text'>,
  asked: TestQuestion,
  tookMs: number,
): Finding {
  if (via !== 'local') {
    return warning(
      `"${via}" answered the question meant for the language model.`,
      'A rule of your household matches a sentence that it should leave alone.',
    );
  }
  const knows = `It knows the answer to "${asked.question}", and said so in ${seconds(tookMs)}.`;
  return wrongAnswer(text, asked) ?? fine(knows);
}

/** A whole turn, from a sound to the sound of its answer. */
export interface SpokenTurn {
  reply: Pick<Reply, 'heard' | 'text'>;
  /** Where the time went, in ms. */
  spans: { stt?: number; llm?: number };
  /** Null: no voice spoke. */
  firstSoundMs: number | null;
  tookMs: number;
}

/** How a spoken question went; the first part that failed is told. */
export function judgeTurn({ reply, spans, firstSoundMs, tookMs }: SpokenTurn, asked: TestQuestion): Finding {
  const heard = reply.heard ?? '';
  const share = shareTranscribed(asked.question, heard);
  const misheard = `The speech recognition heard a spoken question as "${cut(heard)}"`;
  if (share < hardly) return failed(`${misheard}.`, again('stt'));
  const wrong = wrongAnswer(reply.text, asked);
  // Another question has another answer: the language model is not to blame.
  if (wrong && share < 1)
    return warning(
      `${misheard}, so that is what was answered.`,
      'A larger model hears better: "make models".',
    );
  if (wrong) return wrong;
  if (firstSoundMs === null) {
    return warning('A spoken question got an answer in words, but no voice spoke them.', again('tts'));
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

/** Whether a sound may be our question, spoken: neither silence nor too short or long for it. */
export function isSpeech(sound: Pcm | null): sound is Pcm {
  if (!sound) return false;
  const lengthMs = durationMs(sound);
  if (lengthMs < spokenMs.least || lengthMs > spokenMs.most) return false;
  const numbers = toNumbers(sound.samples);
  const power = numbers.reduce((sum, number) => sum + number * number, 0) / numbers.length;
  return Math.sqrt(power) > quietLevel;
}

export function again(what: EngineName): string {
  return `Look at the lines of "${what}" in "make logs", and start it again: "make down", then "make up" or "make run".`;
}

/** An engine's words in a message; enough of them to see that they are wrong. */
export function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}
