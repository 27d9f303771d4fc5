// Imports types only, because a satellite gets a copy of this folder alone.
import type { ServerEvent } from '../api/src/listen/events/listen-events.ts';

export type { AudioFormat, ClientEvent, ServerEvent } from '../api/src/listen/events/listen-events.ts';

/**
 * Parses a text frame as an event. Null: it is not an event, and callers may ignore it. Checks only the type,
 * because listen-events.schema.json guarantees the rest.
 */
export function readEvent(text: string): ServerEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is ServerEvent {
  return isObject(value) && typeof value['type'] === 'string';
}

/** Returns the text of a field; empty if it holds none. */
export function textField(value: unknown, field: string): string {
  const content = isObject(value) ? value[field] : undefined;
  return typeof content === 'string' ? content : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
