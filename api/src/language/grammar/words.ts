import { foldText } from './folded-text.ts';
import { createPoliteFormReader, type PoliteForm } from './polite-form.ts';
import { unspaced } from './template-steps.ts';

/** A spoken word. */
export interface Word {
  /** Lower case, in the spelling of the language's sentences. */
  word: string;
  /** Its position in the text. */
  start: number;
  end: number;
  /** The gap before it: none, a comma, or a sentence end. */
  gap: '' | ',' | '.';
}

interface WordsOptions {
  /** Alternative spellings and their meaning: `what's: what is`. */
  spellings: Readonly<Record<string, string>>;
  /** Sounds without meaning: um, er. */
  fillers: readonly string[];
  /** Words whose full stop ends no sentence: Dr, Mrs. */
  abbreviations: readonly string[];
  /** Whether an apostrophe ends a word, as in "l'entrée", or stays inside it, as in "o'clock". */
  elides?: boolean;
  /** Last parts of compounds, read as separate words: "timer" in "Nudeltimer". */
  compounds?: readonly string[];
  polite?: PoliteForm | undefined;
}

export type WordReader = (text: string) => Word[];

const letter = `[[\\p{L}\\p{M}]--${unspaced}]`;
const firstLetter = `[\\p{L}--${unspaced}]`;

/** A number in digits. A leading mark belongs to it, unless it ends a word: "half.5". */
const number = /\p{Nd}+(?:[.,:]\p{Nd}+)*|(?<![\p{L}\p{M}\p{Nd}.,:])[.,:]\p{Nd}+(?:[.,:]\p{Nd}+)*/v.source;
/** Feet, inches or minutes, unless it closes a quotation. */
const mark = /(?<=\p{Nd})["'](?!\p{L})/v.source;
/**
 * All symbols except punctuation: each may change the meaning, so each is a word. A lone accent is
 * punctuation.
 */
const sign = /\p{RGI_Emoji}|[[\p{S}\p{N}\&@#%*\/\\^§¶†‡‰‱′″‴⁗‐‑‒–−\-]--[\p{Sk}--^]]/v.source;

/** Numbers, words and symbols. A hyphen separates two words, and "5kg" has two parts. */
const patternOf = (word: string) => new RegExp(`${number}|${unspaced}|${word}|${mark}|${sign}`, 'gv');
const wholeWords = patternOf(`${firstLetter}${letter}*(?:['’]${letter}+)*`);
const elidedWords = patternOf(`${firstLetter}${letter}*['’]?`);

/** Splits a text into words in linear time. */
export function createWordReader({
  spellings,
  fillers,
  abbreviations,
  elides = false,
  compounds = [],
  polite,
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

  const inPlainForm = polite ? createPoliteFormReader(polite) : null;
  const shortened = new Set(abbreviations);
  const isShortened = (word: string) => shortened.has(word.toLowerCase());
  /** The gap after a word, which ends at `from`. The full stop of an abbreviation ends no sentence. */
  const gapBehind = (word: string, text: string, { from, to }: { from: number; to: number }): Word['gap'] => {
    const between = text.slice(from, to);
    const isInside = isShortened(word) || (singleLetter.test(word) && isInLetters(text, from, to));
    return gapOf(isInside ? between.replace(/^\./, '') : between);
  };

  const wordsOf = (found: string): Part[] => {
    const word = plainWord(found);
    const known = meant.get(word);
    if (known) return known.map((each) => ({ word: each }));
    const ending = compounds.find((each) => word.length > each.length + 1 && word.endsWith(each));
    if (ending === undefined || word.length !== found.length) return [{ word: isDash(word) ? '-' : word }];
    const first = word.length - ending.length;
    return [
      { word: word.slice(0, first), length: first },
      { word: meant.get(ending)?.join(' ') ?? ending, length: ending.length },
    ];
  };

  return (text) => {
    const folded = foldText(text);
    const words: Word[] = [];
    let [last, behind] = ['', 0];
    let gap: Word['gap'] = '';
    for (const { found, at } of withPoints(folded.text.matchAll(pattern), { isShortened })) {
      const [start, end] = [folded.startOf(at), folded.endOf(at + found.length)];
      gap = wider(gap, gapBehind(last, text, { from: behind, to: start }));
      [last, behind] = [found, end];
      if (!isMeant(found, { text: folded.text, at })) continue;
      for (const part of placed(wordsOf(found), { start, end })) {
        words.push({ ...part, gap: words.length === 0 ? '' : gap });
        gap = '';
      }
    }
    const said = withoutPictures(words);
    return inPlainForm ? inPlainForm(said, text) : said;
  };
}

/** A word in the spelling of sentences. With a length, it is a part of a compound. */
interface Part {
  word: string;
  length?: number;
}

/** Words with their positions: those of their parts of a compound, or all the same. */
function placed(parts: readonly Part[], { start, end }: Pick<Word, 'start' | 'end'>): Omit<Word, 'gap'>[] {
  let from = start;
  return parts.map(({ word, length }) => {
    const to = length === undefined ? end : from + length;
    const place = { word, start: from, end: to };
    if (length !== undefined) from = to;
    return place;
  });
}

/** A word or symbol and its position. */
interface Found {
  found: string;
  at: number;
}

/** The words and symbols, and punctuation inside numbers. */
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

/** Whether punctuation belongs to a number: "3·5", "1'000", "half.5". */
function joinsNumber(between: string, { last, found }: { last: string; found: string }): boolean {
  if (between === '' || /\s|[、。]/.test(between) || !startsWithDigit.test(found)) return false;
  return endsWithDigit.test(last) || (between === '.' && endsWithLetter.test(last));
}

const singleLetter = /^\p{L}\p{M}*$/u;

/** Whether a full stop belongs to an abbreviation of letters: "at 7 a.m. on Friday", "the U.S. embassy". */
function isInLetters(text: string, from: number, to: number): boolean {
  const behind = text.slice(from, to + 1);
  return /^\.\p{L}$/u.test(behind) || (/^\.\s+\p{Ll}$/u.test(behind) && text[from - 2] === '.');
}

const startsWithDigit = /^[.,:]?\p{Nd}/u;
const endsWithDigit = /\p{Nd}$/u;
const endsWithLetter = /[\p{L}\p{M}]$/u;

/** Whether a dash between words, or a quotation mark after a number, is more than punctuation. */
function isMeant(found: string, { text, at }: { text: string; at: number }): boolean {
  if (isDash(found)) return isMinus(text, at);
  return !/^["']$/.test(found) || text.indexOf(found) === at;
}

/** Drops emoji at both ends of a text. Inside it, an emoji may replace a word. */
function withoutPictures(words: readonly Word[]): Word[] {
  const isSaid = ({ word }: Word) => !picture.test(word);
  const from = words.findIndex(isSaid);
  return from < 0 ? [] : words.slice(from, words.findLastIndex(isSaid) + 1);
}

const picture = /^\p{RGI_Emoji}$/v;

/** One spelling per word: lower case, composed characters, digits 0 to 9, ".5" as "0.5". */
function plainWord(found: string): string {
  const word = found.toLowerCase().replaceAll('’', "'");
  const digits = /^[\x20-\x7e]*$/.test(word) ? word : word.normalize('NFC').replaceAll(/\p{Nd}/gu, digitOf);
  return /^[.,]\d/.test(digits) ? `0${digits}` : digits;
}

/** In Unicode the digits of a script are consecutive, 0 to 9. */
function digitOf(digit: string): string {
  const plain = digit.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return plain;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** The original text from the first to the last of these words. */
export function textOf(text: string, words: readonly Word[]): string {
  return text.slice(words[0]?.start ?? 0, words.at(-1)?.end ?? 0);
}

/** Joins words, in the spelling that sentences use. */
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

/** A dash before a number is a minus, unless it joins the number to a word. */
function isMinus(text: string, at: number): boolean {
  return (
    /^.\s*[.,]?\p{Nd}/u.test(text.slice(at, at + 8)) && !/\p{L}$/u.test(text.slice(Math.max(0, at - 1), at))
  );
}
