import type { SpeakingData } from '../language/speaking-schema.ts';

/** Whether text before white space ends a sentence. For the last three values, the next character decides. */
export type SentenceEnd = 'no' | 'yes' | 'unless-it-goes-on' | 'unless-a-number' | 'before-a-capital';

export type Abbreviations = SpeakingData['abbreviations'];

/**
 * Only this much of the text's end is examined. It fits every abbreviation and bounds the work for any text.
 */
const tailCharacters = 40;
const closers =
  /(?:["'”’»›)\]}*_~`」』）】]|\u200D|\p{Variation_Selector}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\[\d+\])*$/u;
const stopsAtEnd = /[.!?…؟۔।]*$/;
const wordAtEnd = /[\p{L}\p{N}.]*$/u;
/** Number of a list item, at the beginning or after a colon: "Do this: 1. Mix." */
const itemNumber = /(?:^|[:;]\s)[\s#>*_+•(-]*(?:\d{1,3}|\p{Ll})[.)][*_]*$/u;
const initial = /^\p{Lu}$/u;
const letter = /^\p{Ll}$/u;
const dayOfMonth = /^\d{1,2}$/;
const dotted = /^\p{L}(?:\.\p{L})+$/u;

/** Tells whether text before white space ends a sentence. */
export function sentenceEndOf(text: string, abbreviations: Abbreviations): SentenceEnd {
  const tail = text.slice(-tailCharacters);
  const closed = found(tail, closers);
  const open = tail.slice(0, tail.length - closed.length);
  const stops = found(open, stopsAtEnd);
  if (stops === '' || itemNumber.test(text)) return 'no';
  if (closed !== '' || stops.includes('…') || stops.startsWith('..')) return 'unless-it-goes-on';
  if (stops !== '.') return 'yes';
  return endAfter(found(open.slice(0, -1), wordAtEnd), abbreviations);
}

function found(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[0] ?? '';
}

/** Tells whether a full stop after this word ends the sentence. */
function endAfter(word: string, abbreviations: Abbreviations): SentenceEnd {
  const name = word.toLowerCase();
  if (Object.hasOwn(abbreviations.never_last, name)) return 'no';
  if (Object.hasOwn(abbreviations.before_numbers, name)) return 'unless-a-number';
  if (Object.hasOwn(abbreviations.sometimes_last, name)) return 'before-a-capital';
  if (abbreviations.ordinals && dayOfMonth.test(word)) return 'no';
  // "1 c. water"
  if (letter.test(word)) return 'before-a-capital';
  // "J. K. Rowling", "the U.S. Army"
  const isInitial = initial.test(word) && !abbreviations.no_initials.includes(word);
  return isInitial || dotted.test(word) ? 'no' : 'yes';
}

const goesOn = /[\p{Ll},;:–—-]/u;
const number = /[\p{N}#]/u;

/** Decides a possible sentence end once the next character is known. */
export function hasEnded(end: SentenceEnd, next: string): boolean {
  if (end === 'unless-it-goes-on') return !goesOn.test(next);
  if (end === 'unless-a-number') return !number.test(next);
  if (end === 'before-a-capital') return !goesOn.test(next) && !number.test(next) && next !== '(';
  return end === 'yes';
}
