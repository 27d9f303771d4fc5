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

/** Numbers, words, and the signs that are spoken. Words joined by a hyphen are two, and so are the parts of "5kg". */
const patternOf = (word: string) =>
  new RegExp(`\\p{Nd}+(?:[.,:]\\p{Nd}+)*|${unspaced}|${word}|[%+*\\/\\^=×÷√°$€£½¼¾²³−–\\-]`, 'gv');
const wholeWords = patternOf(`${letter}+(?:['’]${letter}+)*`);
const elidedWords = patternOf(`${letter}+['’]?`);

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
  /** The separation behind a word. A full stop belongs to a word that is written short. */
  const gapBehind = (word: string, between: string): Word['gap'] =>
    gapOf(shortened.has(word.toLowerCase()) ? between.replace(/^\./, '') : between);

  const wordsOf = (found: string) => {
    const word = plainWord(found);
    return meant.get(word) ?? [isDash(word) ? '-' : word];
  };

  return (text) => {
    const words: Word[] = [];
    let endOfLast = 0;
    let last = '';
    let gap: Word['gap'] = '';
    for (const { 0: found, index: start } of text.matchAll(pattern)) {
      const end = start + found.length;
      gap = wider(gap, gapBehind(last, text.slice(endOfLast, start)));
      endOfLast = end;
      last = found;
      if (isDash(found) && !isMinus(text, start)) continue;
      for (const word of wordsOf(found)) {
        words.push({ word, start, end, gap: words.length === 0 ? '' : gap });
        gap = '';
      }
    }
    return words;
  };
}

/** One spelling for a word however it is encoded: lower case, marks joined to their letters, digits from 0 to 9. */
function plainWord(found: string): string {
  const word = found.toLowerCase().replaceAll('’', "'");
  return /^[\x20-\x7e]*$/.test(word) ? word : word.normalize('NFC').replaceAll(/\p{Nd}/gu, digitOf);
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
  if (/[.?!;:…؟।](?:\s|$)|[。！？]|\n/.test(between)) return '.';
  return /[,،、，]/.test(between) ? ',' : '';
}

function wider(one: Word['gap'], other: Word['gap']): Word['gap'] {
  return one === '.' || other === '.' ? '.' : one || other;
}

function isDash(found: string): boolean {
  return found === '-' || found === '–' || found === '−';
}

/** A dash is a minus before a number, unless it joins that number to a word. */
function isMinus(text: string, at: number): boolean {
  return /^.\s*\d/u.test(text.slice(at, at + 8)) && !/\p{L}$/u.test(text.slice(Math.max(0, at - 1), at));
}
