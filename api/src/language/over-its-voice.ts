import { soundDistance } from './sound-distance.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** Minimum distance of a different word, such as "stay" or "start" from "stop". */
const maxDistance = 0.3;
/**
 * Minimum mean log probability of a word for which the recognition wrote another text ("It's time", "Good
 * job"). Measured with Whisper tiny.en, eight voices, and twelve rooms with an echo canceller. Of 111 times
 * "stop", 107 scored higher. So did 37 of 207 other words and sentences. Those sound alike: "top", "shop".
 */
const minLogProbability = -4;
/** Longer texts are sentences, in which a short word has another meaning. */
const maxWords = 3;

interface OverVoiceOptions {
  /** Single words that people say while the assistant speaks. */
  words: readonly string[];
  soundsOf: (word: string) => string;
}

/** A word, as `saidAlone` writes it. */
interface ScoredWord {
  text: string;
  /** Mean log probability of its tokens. */
  avgLogprob: number | null;
}

/** The word in a transcript, and the scores of the words. Null: the person said none of them. */
type MeantOverVoice = (text: string, scores?: readonly ScoredWord[]) => string | null;

/** A word as the recognition writes it if nothing else is said. */
export const saidAlone = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}.`;

/**
 * Finds the word that a person said while the assistant spoke. Echo cancellation damages short words, so
 * recognition may write a similar one ("step", "stuff"), or very different ones.
 */
export function createMeantOverVoice({ words, soundsOf }: OverVoiceOptions): MeantOverVoice {
  const wanted = words.map((word) => ({ word, sounds: softened(soundsOf(word)) }));
  const likeliest = (scores: readonly ScoredWord[]): string | null => {
    const [best] = scores.toSorted((one, other) => scoreOf(other) - scoreOf(one));
    if (!best || scoreOf(best) < minLogProbability) return null;
    return words.find((word) => saidAlone(word) === best.text) ?? null;
  };
  return (text, scores = []) => {
    const spokenSounds = spokenWordsOf(text).map((word) => softened(soundsOf(word.text)));
    if (spokenSounds.length === 0 || spokenSounds.length > maxWords) return null;
    const isNear = (sounds: string, one: string) => soundDistance(sounds, one) < maxDistance;
    const found = wanted.find(
      ({ sounds }) =>
        isNear(sounds, spokenSounds.join('')) || spokenSounds.every((one) => isNear(sounds, one)),
    );
    return found?.word ?? likeliest(scores);
  };
}

const scoreOf = ({ avgLogprob }: ScoredWord): number => avgLogprob ?? Number.NEGATIVE_INFINITY;

/** Echo cancellation removes the burst of a "p", which leaves an "f". */
const softened = (sounds: string): string => sounds.replaceAll('f', 'p');
