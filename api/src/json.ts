/** A text as JSON. Undefined where it is none: whoever checks the shape tells. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
