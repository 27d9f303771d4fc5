const syllables = ['ka', 'lo', 'mi', 'ra', 'tu', 'ne', 'so', 'da', 'vi', 'pe'];

/** A number as a word that can be spoken and has no digit in it: each number has one of its own. */
export function spelled(number: number): string {
  return [...String(number)].map((digit) => syllables[Number(digit)]).join('');
}
