import { setImmediate as nextRound } from 'node:timers/promises';
import { toNumbers } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import { WakeWordDetector } from '../wake/wake-word-detector.ts';
import type { RequestData } from './requests.ts';
import { createSoundIntake } from './sound-intake.ts';

/** Sound is processed in pieces of 100 ms, so that a long one does not block the event loop. */
const pieceBytes = 3_200;

/** A detected wake word. */
interface Detection {
  /** Its id. */
  name: string;
  /** Timestamp of the message in which it ended, in ms on the client's clock. */
  timestamp: number;
}

interface WakeWatchOptions {
  /** The wake words of this household. */
  words: readonly WakeWord[];
  /** Ids of the words to detect. Empty: all. */
  names: readonly string[] | null | undefined;
  onDetection: (detection: Detection) => Promise<void>;
}

/** Handles one `detect`: reports every wake word in the sound. Throws AppError for an unknown word. */
export function createWakeWatch({ words, names, onDetection }: WakeWatchOptions) {
  const detector = new WakeWordDetector(wanted(words, names ?? []));
  const intake = createSoundIntake();
  let soundMs = 0;
  let wasDetected = false;
  let isOver = false;
  let last: Promise<void> = Promise.resolve();

  const look = async (samples: Buffer, timestamp: number | undefined): Promise<void> => {
    const beganMs = soundMs;
    for (let at = 0; at < samples.length && !isOver; at += pieceBytes) {
      const piece = samples.subarray(at, at + pieceBytes);
      soundMs += piece.length / 32;
      const sure = detector.push(toNumbers(piece)).filter(({ certainty }) => certainty === 'sure');
      wasDetected ||= sure.length > 0;
      for (const { word } of sure)
        await onDetection({ name: word, timestamp: Math.round(timestamp ?? beganMs) });
      if (at + pieceBytes < samples.length) await nextRound();
    }
  };

  return {
    /** Resolves when the sound was processed. */
    push({ timestamp, ...format }: RequestData<'audio-chunk'>, bytes: Buffer): Promise<void> {
      const samples = intake.push(format, bytes);
      last = last.then(() => look(samples, timestamp ?? undefined));
      return last;
    },
    /** Call at the end of the sound. Resolves to whether a wake word was detected. */
    async end(): Promise<boolean> {
      await last;
      return wasDetected;
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
