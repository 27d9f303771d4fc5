import { soundDistance } from './sound-distance.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** Minimum distance of a different word, such as "stay" or "start" from "stop". */
const maxDistance = 0.3;
/** Longer texts are sentences, in which a short word has another meaning. */
const maxWords = 3;

interface OverVoiceOptions {
  /** Single words that people say while the assistant speaks. */
  words: readonly string[];
  soundsOf: (word: string) => string;
}

/**
 * Finds the word that a person said while the assistant spoke. Null: none of them. Echo cancellation damages
 * short words, so recognition may write a similar one ("step", "stuff").
 */
export function createMeantOverVoice({ words, soundsOf }: OverVoiceOptions): (text: string) => string | null {
  const wanted = words.map((word) => ({ word, sounds: softened(soundsOf(word)) }));
  return (text) => {
    const spokenSounds = spokenWordsOf(text).map((word) => softened(soundsOf(word.text)));
    if (spokenSounds.length === 0 || spokenSounds.length > maxWords) return null;
    const isNear = (sounds: string, one: string) => soundDistance(sounds, one) < maxDistance;
    const found = wanted.find(
      ({ sounds }) =>
        isNear(sounds, spokenSounds.join('')) || spokenSounds.every((one) => isNear(sounds, one)),
    );
    return found?.word ?? null;
  };
}

/** Echo cancellation removes the burst of a "p", which leaves an "f". */
const softened = (sounds: string): string => sounds.replaceAll('f', 'p');
