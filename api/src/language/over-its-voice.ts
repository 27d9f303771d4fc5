import { soundDistance } from './sound-distance.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** From this distance on it is another word: "stay" or "start" for "stop". */
const maxDistance = 0.3;
/** More words are a sentence, in which a short word has another meaning. */
const maxWords = 3;

interface OverVoiceOptions {
  /** Single words that people say over the assistant's voice. */
  words: readonly string[];
  soundsOf: (word: string) => string;
}

/**
 * The word that a person meant over the assistant's voice; null: none of them. Recognition may write the
 * remains of a short word after echo cancellation as a similar one ("step", "stuff").
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

/** Echo cancellation removes the burst of a "p", which leaves an "f". */
const softened = (sounds: string): string => sounds.replaceAll('f', 'p');
