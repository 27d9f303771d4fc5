import { createWakeMemory, type WakeMemory } from './wake-memory.ts';
import type { WakeWord } from './wake-word.ts';

/**
 * Creates the detector for the answer of `GET /wake-words`. Throws if the answer differs from openapi.yaml.
 * Throws `UnreadableModel` for an unsupported model.
 */
export function createDownloadedWakeMemory(body: unknown): WakeMemory {
  return createWakeMemory(wordsIn(body));
}

function wordsIn(body: unknown): WakeWord[] {
  const { words } = fieldsOf(body);
  if (!Array.isArray(words)) throw new TypeError('no words');
  return words.map((each) => {
    const { word, phrase, cutoff, window_size, step_ms, model } = fieldsOf(each);
    return {
      id: text(word),
      phrase: text(phrase),
      modelFile: `${text(word)}.tflite`,
      languages: [],
      cutoff: number(cutoff),
      windowSize: number(window_size),
      stepMs: number(step_ms),
      model: Uint8Array.from(atob(text(model)), (byte) => byte.charCodeAt(0)),
    };
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return { ...value };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('no number');
  return value;
}
