/** Parses JSON. Returns undefined for invalid JSON, which the schema check then reports. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether it is an object, and neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The strings of a JSON text, with the colon after a key, and the ends of its objects. */
const keysAndObjects = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/gs;

/** The first key that one object of a valid JSON text has twice. `JSON.parse` keeps only the last of them. */
export function repeatedKey(text: string): string | null {
  const objects: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(keysAndObjects)) {
    if (token === '{') objects.push(new Set());
    if (token === '}') objects.pop();
    if (string === undefined || colon === undefined) continue;
    const key: unknown = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
    const keys = objects.at(-1);
    if (keys?.has(key)) return string;
    keys?.add(key);
  }
  return null;
}
