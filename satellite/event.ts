// Only types, because only this folder is copied to a satellite.
import type { ServerEvent } from '../api/src/listen/listen-events.ts';

export type { AudioFormat, ClientEvent, ServerEvent } from '../api/src/listen/listen-events.ts';

/**
 * A text frame as an event; null if it is not one, which may be ignored. Only the type is checked: the rest is as
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

/** A field's text; empty if it holds none. */
export function textOf(value: unknown, field: string): string {
  const content = isObject(value) ? value[field] : undefined;
  return typeof content === 'string' ? content : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
