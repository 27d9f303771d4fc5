import { beginAlike, soundDistance } from './sound-distance.ts';
import { type SpokenWord, spokenWordsOf } from './spoken-words.ts';

/** A name that sounds like this one up to here is meant: the recognition seldom spells names. */
const maxDistance = 0.2;
/** A long name can be heard wrong in more places, and is still like no other words. */
const maxDistanceOfLong = 0.3;
const longSounds = 8;

interface CalledOptions {
  /** The names of the assistant, as people say them. */
  names: readonly string[];
  /** Words that may stand before a name, in lower case: "hey". */
  calls: readonly string[];
  soundsOf: (word: string) => string;
}

/** A sentence for the one of this name. */
export interface Called {
  /** The sentence without the name; empty if the name stands alone. */
  request: string;
  /** A mark sets the name apart, as it does where somebody is spoken to. Without one the sentence may be about a thing of that name. */
  isApart: boolean;
}

/**
 * Reads whether a sentence is for one of these names: one that it begins with, perhaps behind a call ("hey"), or that stands behind a mark at its
 * end. What was said before the sentence that begins with the name is left out. Null: nobody is called.
 */
export function createCalled({ names, calls, soundsOf }: CalledOptions): (text: string) => Called | null {
  const wanted = names.map((name) => {
    const words = spokenWordsOf(name);
    return { count: words.length, sounds: words.map((word) => soundsOf(word.text)).join('') };
  });

  const distanceOf = (words: readonly SpokenWord[]): number | null => {
    const heard = words.map(({ text }) => soundsOf(text)).join('');
    const found = wanted.flatMap(({ count, sounds }) => {
      // A name of several words may be heard as one more or less. One word heard as two is mostly something else.
      const isOfCount = count === 1 ? words.length === 1 : Math.abs(words.length - count) <= 1;
      if (!isOfCount || heard === '' || !beginAlike(sounds, heard)) return [];
      const distance = soundDistance(sounds, heard);
      return distance <= (sounds.length >= longSounds ? maxDistanceOfLong : maxDistance) ? [distance] : [];
    });
    return found.length === 0 ? null : Math.min(...found);
  };
  const most = Math.max(0, ...wanted.map(({ count }) => count)) + 1;
  const nearest = (candidates: readonly (readonly SpokenWord[])[]): readonly SpokenWord[] | null => {
    const judged = candidates.flatMap((words) => {
      const distance = distanceOf(words);
      return distance === null ? [] : [{ words, distance }];
    });
    return judged.toSorted((one, other) => one.distance - other.distance)[0]?.words ?? null;
  };
  const startingAt = (words: readonly SpokenWord[], at: number) =>
    Array.from({ length: Math.min(most, words.length - at) }, (_, more) => words.slice(at, at + more + 1));

  const atBeginning = (text: string): Called | null => {
    const words = spokenWordsOf(text);
    const isCall = calls.includes(words[0]?.text ?? '');
    const name = nearest([...startingAt(words, 0), ...(isCall ? startingAt(words, 1) : [])]);
    const last = name?.at(-1);
    if (!last) return null;
    const rest = text.slice(last.to);
    const request = rest.replace(/^[^\p{L}\p{N}]+/u, '');
    const isApart = /^\s*[^\s\p{L}\p{N}]/u.test(rest) || request === '';
    return isApart || distanceOf(name ?? []) === 0 ? { request, isApart } : null;
  };
  const atEnd = (text: string): Called | null => {
    const words = spokenWordsOf(text);
    const ends = Array.from({ length: Math.min(most, words.length - 1) }, (_, more) =>
      words.slice(-more - 1),
    );
    const name = nearest(ends.filter(([first]) => first && /[,;.?!…]\s*$/.test(text.slice(0, first.from))));
    const [first, last] = [name?.[0], name?.at(-1)];
    if (!first || !last) return null;
    const before = text.slice(0, first.from).trimEnd();
    const isSentence = /[.?!…]$/.test(before);
    return { request: isSentence ? before : before.slice(0, -1) + text.slice(last.to).trim(), isApart: true };
  };

  return (text) => {
    for (const [at, sentence] of beginningsOf(text).entries()) {
      const called = atBeginning(sentence);
      // Behind one sentence the name alone belongs to it: "Is it late? Computer."
      const isBehindOne = at === 1 && called?.request === '';
      if (called && !isBehindOne && (at === 0 || called.isApart)) return called;
    }
    return atEnd(text);
  };
}

/** The text from each of its sentences on. */
function beginningsOf(text: string): string[] {
  const starts = [...text.matchAll(/[.?!…]\s+/g)].map(({ index, 0: { length } }) => index + length);
  return [0, ...starts].map((start) => text.slice(start));
}
