import type { ClientEvent } from '../../../api/src/listen/events/listen-events.ts';
import { createDownloadedWakeMemory } from '../../../api/src/wake/downloaded-wake-memory.ts';
import type { Caller } from '../server/call.ts';

interface WakeDetectorOptions {
  caller: Caller;
  /** A person looks at the level of this microphone on another page. */
  isWatched: () => boolean;
  send: (event: ClientEvent) => void;
}

/** Loads the household's wake words. The page imports this file only for a wake word, because it is large. */
export async function loadWakeDetector({ caller, isWatched, send }: WakeDetectorOptions) {
  const { body } = await caller.call('/wake-words');
  const { push, reset } = createDownloadedWakeMemory(body);
  const hearLevel = createReportedLevel(send);
  return {
    push(samples: Uint8Array) {
      if (isWatched()) hearLevel(samples);
      return push(samples);
    },
    reset,
  };
}

/** Samples per reported level: 200 ms. */
const momentSamples = 3_200;
/** Lowest reported level; no microphone is quieter. */
const minDb = -100;

/** Reports the microphone's level, because the server cannot measure sound that stays here. */
function createReportedLevel(send: WakeDetectorOptions['send']) {
  let [squares, count] = [0, 0];
  return (samples: Uint8Array): void => {
    const numbers = new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2);
    for (const sample of numbers) squares += sample ** 2;
    count += numbers.length;
    if (count < momentSamples) return;
    const db = 20 * Math.log10(Math.sqrt(squares / count) / 32_768);
    [squares, count] = [0, 0];
    send({ type: 'microphone.level', level_db: Math.round(10 * Math.max(minDb, db)) / 10 });
  };
}
