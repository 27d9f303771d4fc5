/** The text with the capital of a sentence start. */
export function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text as inside a sentence. */
export function withoutCapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
