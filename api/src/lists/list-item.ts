/** Limits of lists. A request beyond them was misheard or is malicious. */
export const listLimits = { lists: 50, items: 200, itemCharacters: 100, nameCharacters: 40 };

export interface ListItem {
  /** Normalized words. Items with the same key are equal. */
  key: string;
  /** The original wording. */
  text: string;
}

export type ItemFault = 'too_long' | 'not_words' | 'empty';

/** Normalizes a list item, or returns why it is invalid. */
export function listItem(said: string): ListItem | ItemFault {
  if (said.length > listLimits.itemCharacters * 100) return 'too_long';
  const text = said.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  if (!isSafe(said)) return 'not_words';
  const key = keyOf(text);
  if (key === '') return 'empty';
  return text.length > listLimits.itemCharacters ? 'too_long' : { key, text };
}

/** Rejects markup and characters that a terminal or model would interpret. */
export function isSafe(said: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>{}[\]|\\`]/u.test(said.replaceAll(/[\t\n\r]/g, ' '));
}

/** The normalized key: "Oat-Milk" and "oat milk" are equal. */
export function keyOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join(' ');
}
