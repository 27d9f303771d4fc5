/** Longer names are truncated. */
const maxCharacters = 80;

/** Text from outside as one short line: a title, the name of an appointment. */
export function foreign(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const short = [...line].slice(0, maxCharacters).join('').trim();
  return short.replace(/[.!?:;,]+$/, '');
}
