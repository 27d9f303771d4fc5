import type { ClientEvent, ServerEvent } from './event.ts';

/** Samples per reported level: 200 ms. */
const momentSamples = 3_200;
/** Lowest reported level; no microphone is quieter. */
const minDb = -100;

/**
 * Reports the microphone's level, only while a person watches it on the page. The sound itself stays here.
 */
export function createMicrophoneLevel({ send }: { send: (event: ClientEvent) => void }) {
  let untilMs = Number.NEGATIVE_INFINITY;
  let [squares, samples] = [0, 0];

  return {
    handle(event: ServerEvent): void {
      if (event.type === 'microphone.watched') untilMs = performance.now() + event.for_ms;
      // On a new connection, no person watches the level yet.
      if (event.type === 'session.created') untilMs = Number.NEGATIVE_INFINITY;
    },
    hear(sound: Buffer): void {
      if (performance.now() > untilMs) return;
      for (let at = 0; at + 1 < sound.length; at += 2) squares += sound.readInt16LE(at) ** 2;
      samples += Math.floor(sound.length / 2);
      if (samples < momentSamples) return;
      const db = 20 * Math.log10(Math.sqrt(squares / samples) / 32_768);
      [squares, samples] = [0, 0];
      send({ type: 'microphone.level', level_db: Math.round(10 * Math.max(minDb, db)) / 10 });
    },
  };
}
