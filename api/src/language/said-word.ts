import { beginAlike, soundDistance } from './sound-distance.ts';
import { type SpokenWord, spokenWordsOf } from './spoken-words.ts';

/** Maximum distance to the phrase if the audio contained it: "okay, now move" for "Okay Nabu". */
const maxDistance = 0.35;
/** A stricter limit if the audio only may have contained it. */
const maxDistanceOfNear = 0.3;
/** Within this distance it need not even begin alike: "a Jarvis" for "Hey Jarvis". */
const surelyNear = 0.15;
/** Distance added for a later position, because the word usually comes first. */
const lateIsFarther = 0.03;
/** Punctuation after the word suggests an address. */
const markedIsNearer = 0.1;
/** Maximum number of words before it. The audio starts only 1.5 s before the end of the wake word. */
const maxBefore = { said: 6, near: 2 };
/** Maximum number of extra words in a written phrase: "nabu" as "now boo". */
const maxMoreWords = 2;

interface SaidWordOptions {
  /** The spoken wake phrases. */
  phrases: readonly string[];
  soundsOf: (word: string) => string;
}

/** The request after a wake word; `isNear`: the transcript itself contains something near the word. */
interface SaidWord {
  request: string;
  isNear: boolean;
}

interface Found {
  at: number;
  to: number;
  distance: number;
  /** The distance to the phrase, adjusted for position and punctuation. */
  rank: number;
  beginsAlike: boolean;
}

/** Removes a wake word, and everything before it, from the sentence whose audio contained it. */
export function createSaidWord({ phrases, soundsOf }: SaidWordOptions): (text: string) => SaidWord {
  const sounded = (words: readonly SpokenWord[]) => words.map(({ text }) => soundsOf(text)).join('');
  const wanted = phrases.map((phrase) => {
    const words = spokenWordsOf(phrase);
    return { count: words.length, sounds: sounded(words) };
  });
  const compare = (text: string, spoken: readonly SpokenWord[], sounds: string): Omit<Found, 'at'> => {
    const to = spoken.at(-1)?.to ?? 0;
    const written = sounded(spoken);
    const distance = soundDistance(sounds, written);
    const isMarked = /^\s*[^\s\p{L}\p{N}]/u.test(text.slice(to));
    const rank = isMarked ? distance - markedIsNearer : distance;
    return { to, distance, rank, beginsAlike: beginAlike(sounds, written) };
  };
  const candidates = (text: string): Found[] => {
    const words = spokenWordsOf(text);
    const places = words.slice(0, maxBefore.said + 1).keys();
    return [...places].flatMap((at) =>
      wanted.flatMap(({ count, sounds }) =>
        lengthsOf(count)
          .filter((length) => at + length <= words.length)
          .map((length) => ({ at, ...compare(text, words.slice(at, at + length), sounds) }))
          .map((each) => ({ ...each, rank: each.rank + at * lateIsFarther })),
      ),
    );
  };

  return (text) => {
    const found = candidates(text);
    const isNear = found.some(
      ({ at, distance, beginsAlike }) =>
        at <= maxBefore.near && (distance <= surelyNear || (distance <= maxDistanceOfNear && beginsAlike)),
    );
    const [best] = found.toSorted((one, other) => one.rank - other.rank);
    if (!best || best.rank > maxDistance) return { request: text, isNear };
    return { request: text.slice(best.to).replace(/^[^\p{L}\p{N}]+/u, ''), isNear };
  };
}

/** Recognition may write a phrase with one word fewer, or with more. */
function lengthsOf(count: number): number[] {
  const least = Math.max(1, count - 1);
  return Array.from({ length: count + maxMoreWords - least + 1 }, (_, more) => least + more);
}
