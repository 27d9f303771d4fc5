import { ownWords } from './own-words.ts';

/** A name in quotation marks: "rename it to 'food'". A longer text was probably pasted. */
const quotedName =
  /["\u201c\u201d\u201e\u00ab\u00bb][^"\u201c-\u201e\u00ab\u00bb\n]{1,40}["\u201c\u201d\u00ab\u00bb]|(?<!\p{L})['\u2018][^'\u2018\u2019\n]{1,40}['\u2019](?!\p{L})/gu;
/** Placeholder for a name. No sentence begins with it as its verb. */
const name = ' 1 ';
const setsOff = /(?<!\d):|:(?!\d)|\uff1a|\s-+\s|[\u2012-\u2015]|[\r\n]/u;

/**
 * Splits a question at colons, dashes and line ends, with "1" for a name in quotation marks. Returns nothing
 * for text that may be pasted. Use it only for refusals: an action must be more certain about its author.
 */
export function ownParts(text: string): string[] {
  const own = ownWords(text);
  if (own !== '') return [own];
  const parts = text
    .replaceAll(quotedName, name)
    .split(setsOff)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.every((part) => ownWords(part) === part) ? parts : [];
}
