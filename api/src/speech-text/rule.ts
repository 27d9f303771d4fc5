import type { NumberMarks } from '../language/numbers/marks.ts';
import { literally } from '../language/pattern.ts';

/** Turns what it finds in a text into words. Rules run in order, and what one has said is nothing that a later one looks for. */
export type Rule = (text: string) => string;

/** A pattern for any of the words, the longest first; one that never matches for none. */
export function anyOf(words: readonly string[]): string {
  if (words.length === 0) return '(?!)';
  const escaped = words.map(literally);
  return `(?:${escaped.toSorted((a, b) => b.length - a.length).join('|')})`;
}

/** A number as it is written: "3.5", "1,000". */
export function amountOf(marks: NumberMarks): string {
  const [decimal, thousands] = [literally(marks.decimal), literally(marks.thousands)];
  return String.raw`(?:\d{1,3}(?:${thousands}\d{3}){1,6}|\d{1,20})(?:${decimal}\d{1,10})?`;
}

/** Where a number begins: not within a word, a longer number or a time. */
export const begins = String.raw`(?<![\p{L}\p{N}]|\d[.,:/])`;
export const wordEnds = String.raw`(?![\p{L}\p{N}])`;
