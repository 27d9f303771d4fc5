/** An event of either side. A satellite looks only at the few fields that it needs; docs/listen.md has them all. */
export interface Event {
  type: string;
  [field: string]: unknown;
}

/** A text frame as an event; null when it is none, which is nothing to stumble over. */
export function readEvent(text: string): Event | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is Event {
  return isObject(value) && typeof value['type'] === 'string';
}

/** A field that holds text; empty when it does not. */
export function textOf(value: unknown, field: string): string {
  const content = isObject(value) ? value[field] : undefined;
  return typeof content === 'string' ? content : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
