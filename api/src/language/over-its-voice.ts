import { soundDistance } from './sound-distance.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** As unlike as this it is another word: "stay" or "start" for "stop". */
const maxDistance = 0.3;
/** More words are a sentence, in which a short word means something else. */
const maxWords = 3;

interface OverVoiceOptions {
  /** What people say over the assistant's voice, a word each. */
  words: readonly string[];
  soundsOf: (word: string) => string;
}

/**
 * What somebody meant who spoke over the assistant's voice; null: it is none of the words that are listened for there. What the echo canceller leaves of a short
 * word is written as another one that sounds like it ("step", "stuff").
 */
export function createMeantOverVoice({ words, soundsOf }: OverVoiceOptions): (text: string) => string | null {
  const wanted = words.map((word) => ({ word, sounds: softened(soundsOf(word)) }));
  return (text) => {
    const heard = spokenWordsOf(text).map((word) => softened(soundsOf(word.text)));
    if (heard.length === 0 || heard.length > maxWords) return null;
    const isNear = (sounds: string, one: string) => soundDistance(sounds, one) < maxDistance;
    const found = wanted.find(
      ({ sounds }) => isNear(sounds, heard.join('')) || heard.every((one) => isNear(sounds, one)),
    );
    return found?.word ?? null;
  };
}

/** The burst of a "p" is lost in what the canceller leaves, so that an "f" remains. */
const softened = (sounds: string): string => sounds.replaceAll('f', 'p');
