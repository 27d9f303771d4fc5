import type { Pipeline } from '../settings/pipeline.ts';
import { type HouseholdWakeWords, wakeWordsOf } from '../wake/household-wake-words.ts';
import type { Handlers } from './contract-routes.ts';

interface WakeWordRoutesOptions {
  wakeWords: HouseholdWakeWords;
  settings: () => Pick<Pipeline, 'wake_words'>;
}

/** The household's wake words, for satellites that detect them locally. */
export function wakeWordRoutes({
  wakeWords,
  settings,
}: WakeWordRoutesOptions): Pick<Handlers, 'getWakeWords'> {
  return {
    getWakeWords: () => ({
      words: wakeWordsOf(wakeWords.now().words, settings().wake_words).map((word) => ({
        word: word.id,
        phrase: word.phrase,
        languages: [...word.languages],
        cutoff: word.cutoff,
        window_size: word.windowSize,
        step_ms: word.stepMs,
        model: Buffer.from(word.model).toString('base64'),
      })),
    }),
  };
}
