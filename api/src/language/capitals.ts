/** As it stands at the beginning of a sentence. */
export function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** As it stands inside of a sentence. */
export function withoutCapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
