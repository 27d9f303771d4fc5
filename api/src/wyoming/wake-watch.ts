import { setImmediate as nextRound } from 'node:timers/promises';
import { toNumbers } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import { WakeWordDetector } from '../wake/wake-word-detector.ts';
import type { RequestData } from './requests.ts';
import { createSoundIntake } from './sound-intake.ts';

/** Sound is looked at in pieces of 100 ms, so that a long one holds up nobody else. */
const pieceBytes = 3_200;

/** A wake word that was heard. */
export interface Detection {
  /** Its id. */
  name: string;
  /** Of the message in which it ended, as the caller counts; in ms. */
  timestamp: number;
}

interface WakeWatchOptions {
  /** The words of this household. */
  words: readonly WakeWord[];
  /** Ids of those that are listened for; none: all. */
  names: readonly string[] | null | undefined;
  onDetection: (detection: Detection) => Promise<void>;
}

/** One `detect`: sound in, wake words out, as often as they are heard. Throws AppError for a word that is not there. */
export function createWakeWatch({ words, names, onDetection }: WakeWatchOptions) {
  const detector = new WakeWordDetector(wanted(words, names ?? []));
  const intake = createSoundIntake();
  let soundMs = 0;
  let wasHeard = false;
  let isOver = false;
  let last: Promise<void> = Promise.resolve();

  const look = async (samples: Buffer, timestamp: number | undefined): Promise<void> => {
    const beganMs = soundMs;
    for (let at = 0; at < samples.length && !isOver; at += pieceBytes) {
      const piece = samples.subarray(at, at + pieceBytes);
      soundMs += piece.length / 32;
      const sure = detector.push(toNumbers(piece)).filter(({ certainty }) => certainty === 'sure');
      wasHeard ||= sure.length > 0;
      for (const { word } of sure)
        await onDetection({ name: word, timestamp: Math.round(timestamp ?? beganMs) });
      if (at + pieceBytes < samples.length) await nextRound();
    }
  };

  return {
    /** Resolves when the sound was looked at. */
    push({ timestamp, ...format }: RequestData<'audio-chunk'>, bytes: Buffer): Promise<void> {
      const samples = intake.push(format, bytes);
      last = last.then(() => look(samples, timestamp ?? undefined));
      return last;
    },
    /** There is no more sound. Resolves with whether any word was heard. */
    async end(): Promise<boolean> {
      await last;
      return wasHeard;
    },
    close(): void {
      isOver = true;
    },
  };
}

function wanted(words: readonly WakeWord[], names: readonly string[]): WakeWord[] {
  const missing = names.find((name) => !words.some(({ id }) => id === name));
  if (missing !== undefined || words.length === 0) {
    const message =
      missing === undefined ? 'There are no wake words.' : `There is no wake word "${missing}".`;
    throw new AppError('invalid_request', message, { param: 'names' });
  }
  return words.filter(({ id }) => names.length === 0 || names.includes(id));
}
