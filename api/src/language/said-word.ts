import { beginAlike, soundDistance } from './sound-distance.ts';
import { type SpokenWord, spokenWordsOf } from './spoken-words.ts';

/** Words as unlike the phrase as this may still be it, where it was heard in the sound: "okay, now move" for "Okay Nabu". */
const maxDistance = 0.35;
/** Where it was heard perhaps, the transcript has to be nearer to it. */
const maxDistanceOfNear = 0.3;
/** So near, it need not even begin alike: "a Jarvis" for "Hey Jarvis". */
const surelyNear = 0.15;
/** Mostly the word comes first. */
const lateIsFarther = 0.03;
/** A mark sets the word apart, as it does where somebody is called. */
const markedIsNearer = 0.1;
/** The sound begins 1.5 s before the end of the word, so not many words come before it. */
const maxBefore = { said: 6, near: 2 };
/** A phrase is written as at most so many words more than it has: "nabu" as "now boo". */
const maxMoreWords = 2;

interface SaidWordOptions {
  /** What people say. */
  phrases: readonly string[];
  soundsOf: (word: string) => string;
}

/** What a sentence asks behind a wake word; `isNear`: the transcript itself has something near the word. */
export interface SaidWord {
  request: string;
  isNear: boolean;
}

interface Found {
  at: number;
  to: number;
  distance: number;
  /** By how far it is from the phrase if a mark behind it counts, too. */
  rank: number;
  beginsAlike: boolean;
}

/** Takes a wake word off the sentence in whose sound it was heard, with what came before it. */
export function createSaidWord({ phrases, soundsOf }: SaidWordOptions): (text: string) => SaidWord {
  const sounded = (words: readonly SpokenWord[]) => words.map(({ text }) => soundsOf(text)).join('');
  const wanted = phrases.map((phrase) => {
    const words = spokenWordsOf(phrase);
    return { count: words.length, sounds: sounded(words) };
  });
  const compare = (text: string, heard: readonly SpokenWord[], sounds: string): Omit<Found, 'at'> => {
    const to = heard.at(-1)?.to ?? 0;
    const written = sounded(heard);
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

/** A phrase may be written as one word fewer, or as more. */
function lengthsOf(count: number): number[] {
  const least = Math.max(1, count - 1);
  return Array.from({ length: count + maxMoreWords - least + 1 }, (_, more) => least + more);
}
