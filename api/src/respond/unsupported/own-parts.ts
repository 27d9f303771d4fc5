import { ownWords } from './own-words.ts';

/** A name in quotation marks: "rename it to 'food'". A longer text is one that was pasted. */
const quotedName =
  /["\u201c\u201d\u201e\u00ab\u00bb][^"\u201c-\u201e\u00ab\u00bb\n]{1,40}["\u201c\u201d\u00ab\u00bb]|(?<!\p{L})['\u2018][^'\u2018\u2019\n]{1,40}['\u2019](?!\p{L})/gu;
/** It stands for a name, and no sentence begins with it as its verb. */
const name = ' 1 ';
const setsOff = /(?<!\d):|:(?!\d)|\uff1a|\s-+\s|[\u2012-\u2015]|[\r\n]/u;

/**
 * The parts of a question between colons, dashes and line ends, with "1" for a name in quotation marks. Text
 * that may be pasted has none. Only for what does nothing: a refusal needs less care about its author than an
 * act.
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
