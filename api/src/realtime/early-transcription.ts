import type { Clock } from '../clock.ts';
import { type AppError, toAppError } from '../errors.ts';

/** Clients that want an answer request it right after the commit. That turn then has the transcript. */
const waitForRequestMs = 500;
/** 30 s at 16 kHz. Longer speech is transcribed only with its answer. */
const maxBytes = 960_000;

/** Transcribes the speech in samples at 16 kHz. Empty: there is none. */
export type TranscribeSpeech = (samples: Buffer, signal: AbortSignal) => Promise<string>;

interface EarlyTranscriptionOptions {
  clock: Pick<Clock, 'after'>;
  transcribe: TranscribeSpeech;
  tell: (itemId: string, transcript: string) => void;
  fail: (itemId: string, error: AppError) => void;
}

export type EarlyTranscription = ReturnType<typeof createEarlyTranscription>;

/** Transcribes committed speech for which the client requests no answer. */
export function createEarlyTranscription({ clock, transcribe, tell, fail }: EarlyTranscriptionOptions) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let committed = 0;
  let work: { cancelTimer: () => void; abort: AbortController } | null = null;

  const stop = (): void => {
    work?.cancelTimer();
    work?.abort.abort();
    work = null;
  };
  const run = async (itemId: string, samples: Buffer, signal: AbortSignal): Promise<void> => {
    try {
      const transcript = await transcribe(samples, signal);
      if (!signal.aborted) tell(itemId, transcript);
    } catch (error) {
      if (!signal.aborted) fail(itemId, toAppError(error));
    }
  };

  return {
    add(samples: Buffer): void {
      bytes += samples.length;
      if (bytes <= maxBytes) pieces.push(samples);
    },
    /** All sound so far belongs to this item. */
    commit(itemId: string): void {
      stop();
      committed = pieces.length;
      if (bytes > maxBytes) return;
      const abort = new AbortController();
      const samples = Buffer.concat(pieces);
      const cancelTimer = clock.after(waitForRequestMs, () => void run(itemId, samples, abort.signal));
      work = { cancelTimer, abort };
    },
    /** An answer is requested: its turn transcribes the committed speech. */
    request(): void {
      stop();
      pieces = pieces.slice(committed);
      bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      committed = 0;
    },
    /** The client cleared the sound, or is gone. */
    clear(): void {
      stop();
      pieces = [];
      bytes = 0;
      committed = 0;
    },
  };
}
