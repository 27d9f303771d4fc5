import { foldText } from './folded-text.ts';
import { unspaced } from './template-steps.ts';

/** A word that was said. */
export interface Word {
  /** In lower case and in the spelling that the sentences of a language use. */
  word: string;
  /** Its place in the text. */
  start: number;
  end: number;
  /** The separation from the word before: nothing much, a comma, or the end of a sentence. */
  gap: '' | ',' | '.';
}

export interface WordsOptions {
  /** How a word is also written, and what it stands for: `what's: what is`. */
  spellings: Readonly<Record<string, string>>;
  /** Sounds that mean nothing wherever they come: um, er. */
  fillers: readonly string[];
  /** Words behind which a full stop ends no sentence: Dr, Mrs. */
  abbreviations: readonly string[];
  /** Whether an apostrophe ends a word, as in "l'entrée", instead of standing within it, as in "o'clock". */
  elides?: boolean;
}

export type WordReader = (text: string) => Word[];

const letter = `[[\\p{L}\\p{M}]--${unspaced}]`;
const firstLetter = `[\\p{L}--${unspaced}]`;

/** A number in digits. Without digits in front its mark belongs to it, unless it ends a word: "half.5". */
const number = /\p{Nd}+(?:[.,:]\p{Nd}+)*|(?<![\p{L}\p{M}\p{Nd}.,:])[.,:]\p{Nd}+(?:[.,:]\p{Nd}+)*/v.source;
/** Feet, inches or minutes, unless it closes a quotation. */
const mark = /(?<=\p{Nd})["'](?!\p{L})/v.source;
/** All signs but punctuation: each may change what is meant, so each is a word. An accent that stands alone is punctuation. */
const sign = /\p{RGI_Emoji}|[[\p{S}\p{N}\&@#%*\/\\^§¶†‡‰‱′″‴⁗‐‑‒–−\-]--[\p{Sk}--^]]/v.source;

/** Numbers, words, and signs. Words joined by a hyphen are two, and so are the parts of "5kg". */
const patternOf = (word: string) => new RegExp(`${number}|${unspaced}|${word}|${mark}|${sign}`, 'gv');
const wholeWords = patternOf(`${firstLetter}${letter}*(?:['’]${letter}+)*`);
const elidedWords = patternOf(`${firstLetter}${letter}*['’]?`);

/** Takes a text apart into words. Its time grows with the text and nothing else. */
export function createWordReader({
  spellings,
  fillers,
  abbreviations,
  elides = false,
}: WordsOptions): WordReader {
  const pattern = elides ? elidedWords : wholeWords;
  const meant = new Map<string, string[]>();
  for (const filler of fillers) meant.set(filler, []);
  for (const [spelling, words] of Object.entries(spellings)) {
    meant.set(
      spelling,
      [...words.matchAll(pattern)].map(([word]) => word),
    );
  }

  const shortened = new Set(abbreviations);
  const isShortened = (word: string) => shortened.has(word.toLowerCase());
  /** The separation behind a word. A full stop belongs to a word that is written short. */
  const gapBehind = (word: string, between: string): Word['gap'] =>
    gapOf(isShortened(word) ? between.replace(/^\./, '') : between);

  const wordsOf = (found: string) => {
    const word = plainWord(found);
    return meant.get(word) ?? [isDash(word) ? '-' : word];
  };

  return (text) => {
    const folded = foldText(text);
    const words: Word[] = [];
    let [last, behind] = ['', 0];
    let gap: Word['gap'] = '';
    for (const { found, at } of withPoints(folded.text.matchAll(pattern), { isShortened })) {
      const [start, end] = [folded.startOf(at), folded.endOf(at + found.length)];
      gap = wider(gap, gapBehind(last, text.slice(behind, start)));
      [last, behind] = [found, end];
      if (!isMeant(found, { text: folded.text, at })) continue;
      for (const word of wordsOf(found)) {
        words.push({ word, start, end, gap: words.length === 0 ? '' : gap });
        gap = '';
      }
    }
    return withoutPictures(words);
  };
}

/** A word or sign and its place. */
interface Found {
  found: string;
  at: number;
}

/** The words and signs, and the punctuation that stands within numbers. */
function* withPoints(
  matches: Iterable<RegExpExecArray>,
  { isShortened }: { isShortened: (word: string) => boolean },
): Generator<Found> {
  let [last, end] = ['', 0];
  for (const { 0: found, index: at, input } of matches) {
    const between = input.slice(end, at);
    if (joinsNumber(between, { last, found }) && !isShortened(last)) yield { found: between, at: end };
    yield { found, at };
    [last, end] = [found, at + found.length];
  }
}

/** Whether punctuation stands within a number, and so is more than punctuation: "3·5", "1'000", "half.5". */
function joinsNumber(between: string, { last, found }: { last: string; found: string }): boolean {
  if (between === '' || /\s|[、。]/.test(between) || !startsWithDigit.test(found)) return false;
  return endsWithDigit.test(last) || (between === '.' && endsWithLetter.test(last));
}

const startsWithDigit = /^[.,:]?\p{Nd}/u;
const endsWithDigit = /\p{Nd}$/u;
const endsWithLetter = /[\p{L}\p{M}]$/u;

/** A dash between words and a quotation mark behind a number may be punctuation. */
function isMeant(found: string, { text, at }: { text: string; at: number }): boolean {
  if (isDash(found)) return isMinus(text, at);
  return !/^["']$/.test(found) || text.indexOf(found) === at;
}

/** Pictures at the ends of a text say nothing; within it, one may stand for a thing. */
function withoutPictures(words: readonly Word[]): Word[] {
  const isSaid = ({ word }: Word) => !picture.test(word);
  const from = words.findIndex(isSaid);
  return from < 0 ? [] : words.slice(from, words.findLastIndex(isSaid) + 1);
}

const picture = /^\p{RGI_Emoji}$/v;

/** One spelling for a word however it is encoded: lower case, marks joined to their letters, digits from 0 to 9, ".5" as "0.5". */
function plainWord(found: string): string {
  const word = found.toLowerCase().replaceAll('’', "'");
  const digits = /^[\x20-\x7e]*$/.test(word) ? word : word.normalize('NFC').replaceAll(/\p{Nd}/gu, digitOf);
  return /^[.,]\d/.test(digits) ? `0${digits}` : digits;
}

/** Unicode has the digits of a script in a row, from 0 to 9. */
function digitOf(digit: string): string {
  const plain = digit.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return plain;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** The text from the first to the last of these words, as it was said. */
export function textOf(text: string, words: readonly Word[]): string {
  return text.slice(words[0]?.start ?? 0, words.at(-1)?.end ?? 0);
}

/** Words as one text, in the spelling that sentences use. */
export function joinedWords(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

function gapOf(between: string): Word['gap'] {
  if (/[.?!;:…؟।](?:\s|$)|[。！？．]|\n/.test(between)) return '.';
  return /[,،、，]/.test(between) ? ',' : '';
}

function wider(one: Word['gap'], other: Word['gap']): Word['gap'] {
  return one === '.' || other === '.' ? '.' : one || other;
}

function isDash(found: string): boolean {
  return /^[-‐‑‒–−]$/.test(found);
}

/** A dash is a minus before a number, unless it joins that number to a word. */
function isMinus(text: string, at: number): boolean {
  return (
    /^.\s*[.,]?\p{Nd}/u.test(text.slice(at, at + 8)) && !/\p{L}$/u.test(text.slice(Math.max(0, at - 1), at))
  );
}
