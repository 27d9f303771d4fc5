import { beginAlike, soundDistance } from './sound-distance.ts';
import { type SpokenWord, spokenWordsOf } from './spoken-words.ts';

/** Maximum sound distance to a name; speech recognition often misspells names. */
const maxDistance = 0.2;
/** Limit for a long name, which resembles no other word even with more differences. */
const maxDistanceOfLong = 0.3;
const longSounds = 8;

interface CalledOptions {
  /** The assistant's names, as people say them. */
  names: readonly string[];
  /** Words before a name, in lower case: "hey". */
  calls: readonly string[];
  soundsOf: (word: string) => string;
}

/** A sentence addressed to this name. */
interface Called {
  /** The sentence without the name; empty for the name alone. */
  request: string;
  /** Punctuation separates the name. Without it, the sentence may be about something with that name. */
  isApart: boolean;
}

/**
 * Reads whether a sentence addresses one of these names. The name stands first, perhaps after a call word
 * ("hey"), or after punctuation at the end. Sentences before the addressed one are dropped. Null: no name is
 * addressed.
 */
export function createCalled({ names, calls, soundsOf }: CalledOptions): (text: string) => Called | null {
  const wanted = names.map((name) => {
    const words = spokenWordsOf(name);
    return { count: words.length, sounds: words.map((word) => soundsOf(word.text)).join('') };
  });

  const distanceOf = (words: readonly SpokenWord[]): number | null => {
    const spokenSounds = words.map(({ text }) => soundsOf(text)).join('');
    const found = wanted.flatMap(({ count, sounds }) => {
      // Recognition may write a longer name with one word more or less. Two words for a single-word name
      // usually mean something else.
      const isOfCount = count === 1 ? words.length === 1 : Math.abs(words.length - count) <= 1;
      if (!isOfCount || spokenSounds === '' || !beginAlike(sounds, spokenSounds)) return [];
      const distance = soundDistance(sounds, spokenSounds);
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
      // After one sentence, the name alone belongs to it: "Is it late? Computer."
      const isBehindOne = at === 1 && called?.request === '';
      if (called && !isBehindOne && (at === 0 || called.isApart)) return called;
    }
    return atEnd(text);
  };
}

/** The text from the start of each of its sentences. */
function beginningsOf(text: string): string[] {
  const starts = [...text.matchAll(/[.?!…]\s+/g)].map(({ index, 0: { length } }) => index + length);
  return [0, ...starts].map((start) => text.slice(start));
}
