/** The text as it is written at the beginning of a sentence. */
export function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text as it is written inside a sentence. */
export function withoutCapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
