import { beginAlike, soundDistance } from '../language/sound-distance.ts';

/** Words further apart than this are not heard for each other. */
const mostDistance = 0.28;
/** Up to here it is more likely that the other word was meant than that this one was said. */
const surelyHeard = 0.2;
/** A shorter word sounds like too many others. */
const fewestLetters = 3;
/** So many other words anchor the one that was heard wrong; a longer text is no command. */
const fewestWords = 3;
const mostWords = 16;
/** Work for one sentence is bounded. */
const mostSentences = 24;

export interface NearSentence {
  text: string;
  /** The word that was taken instead. */
  meant: string;
  distance: number;
  /** It may well be that the other word was said. */
  isDoubtful: boolean;
}

interface NearOptions {
  soundsOf: (word: string) => string;
  /** The words that can be meant here, in lower case. */
  words: readonly string[];
  /** Words that mean what they are. */
  isCommon: (word: string) => boolean;
}

/** The same sentence with one word replaced by one that sounds alike and can be meant here, the nearest first. */
export function nearSentences(text: string, { soundsOf, words, isCommon }: NearOptions): NearSentence[] {
  const heard = [...text.matchAll(/[\p{L}\p{M}'’]+/gu)];
  if (heard.length < fewestWords || heard.length > mostWords) return [];
  const known = new Set(words);
  const sounds = [...known]
    .filter((word) => word.length >= fewestLetters)
    .map((word) => ({ word, sounds: soundsOf(word) }));
  const isKnown = (word: string) => known.has(word) || isCommon(word);
  // "ml's" is "ml" with an ending, and no other word.
  const isBelieved = (word: string) => isKnown(word) || isKnown(word.replace(/['’]\p{L}*$/u, ''));
  const near = heard.flatMap(({ 0: said, index }) => {
    const word = said.toLowerCase();
    if (word.length < fewestLetters || isBelieved(word)) return [];
    const its = soundsOf(word);
    return sounds.flatMap(({ word: meant, sounds: other }) => {
      if (Math.abs(its.length - other.length) > 2 || !beginAlike(its, other)) return [];
      const distance = soundDistance(its, other);
      if (distance > mostDistance) return [];
      return [
        {
          text: `${text.slice(0, index)}${meant}${text.slice(index + said.length)}`,
          meant,
          distance,
          isDoubtful: distance > surelyHeard,
        },
      ];
    });
  });
  return near.toSorted((one, other) => one.distance - other.distance).slice(0, mostSentences);
}
