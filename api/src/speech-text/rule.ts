import type { NumberMarks } from '../language/numbers/marks.ts';
import { literally } from '../language/pattern.ts';

/**
 * Turns one kind of notation in a text into words. Rules run in order, and no rule matches the output of an
 * earlier one.
 */
export type Rule = (text: string) => string;

/** Builds a pattern that matches any of the words, longest first. Without words it never matches. */
export function anyOf(words: readonly string[]): string {
  if (words.length === 0) return '(?!)';
  const escaped = words.map(literally);
  return `(?:${escaped.toSorted((a, b) => b.length - a.length).join('|')})`;
}

/** Matches a written number: "3.5", "1,000". */
export function amountOf(marks: NumberMarks): string {
  const [decimal, thousands] = [literally(marks.decimal), literally(marks.thousands)];
  return String.raw`(?:\d{1,3}(?:${thousands}\d{3}){1,6}|\d{1,20})(?:${decimal}\d{1,10})?`;
}

/** Matches the start of a number: not within a word, a longer number or a time. */
export const begins = String.raw`(?<![\p{L}\p{N}]|\d[.,:/])`;
export const wordEnds = String.raw`(?![\p{L}\p{N}])`;
