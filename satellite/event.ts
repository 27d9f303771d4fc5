// Only types: what is copied to a satellite is this folder alone.
import type { ServerEvent } from '../api/src/listen/listen-events.ts';

export type { AudioFormat, ClientEvent, ServerEvent } from '../api/src/listen/listen-events.ts';

/**
 * A text frame as an event; null when it is none, which is nothing to stumble over. Only the type is looked at: the rest is as
 * listen-events.schema.json promises.
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

/** A field that holds text; empty when it does not. */
export function textOf(value: unknown, field: string): string {
  const content = isObject(value) ? value[field] : undefined;
  return typeof content === 'string' ? content : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
