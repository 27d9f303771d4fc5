/** The limits of lists. A request beyond them was misheard, or means no good. */
export const listLimits = { lists: 50, items: 200, itemCharacters: 100, nameCharacters: 40 };

export interface ListItem {
  /** Its words alone: what makes it the same as another. */
  key: string;
  /** As it was said. */
  text: string;
}

export type ItemFault = 'too_long' | 'not_words' | 'empty';

/** Something to put on a list, or why it cannot be. */
export function listItem(said: string): ListItem | ItemFault {
  if (said.length > listLimits.itemCharacters * 100) return 'too_long';
  const text = said.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  if (!isSafe(said)) return 'not_words';
  const key = keyOf(text);
  if (key === '') return 'empty';
  return text.length > listLimits.itemCharacters ? 'too_long' : { key, text };
}

/** Markup, and what a terminal or a model would obey, has no place among the milk. */
export function isSafe(said: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>{}[\]|\\`]/u.test(said.replaceAll(/[\t\n\r]/g, ' '));
}

/** The same for the same thing, however it is written: "Oat-Milk" and "oat milk" are one. */
export function keyOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join(' ');
}
