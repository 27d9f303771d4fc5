const syllables = ['ka', 'lo', 'mi', 'ra', 'tu', 'ne', 'so', 'da', 'vi', 'pe'];

/** Spells a number as a unique word that can be spoken and has no digit in it. */
export function spelled(number: number): string {
  return [...String(number)].map((digit) => syllables[Number(digit)]).join('');
}
