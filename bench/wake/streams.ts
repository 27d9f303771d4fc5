import { createWakeMemory } from '../../api/src/wake/wake-memory.ts';
import type { WakeWord } from '../../api/src/wake/wake-word.ts';
import { heldBytes } from '../../tests/support/memory.ts';
import { inRow, referenceSounds } from '../../tests/support/wake/sounds.ts';
import { roundTo } from '../measure.ts';

export const streams = 200;
const seconds = { warm: 2, measured: 10 } as const;
const frameSamples = 320;
const bytesPerSample = 2;

/** Many satellites that leave the wake words to one server. */
export interface StreamsCost {
  words: number;
  /** The share of one core: CPU time per time of the sound. */
  core: number;
  /** Memory of a stream, including its last 1.5 s of sound. */
  kilobytes: number;
}

/** Detects these words in all streams at once, frame after frame, each at a different place of the sounds. */
export function costOfStreams(words: readonly WakeWord[]): StreamsCost {
  const sound = inRow(...referenceSounds().values());
  const samples = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength);
  const frameBytes = frameSamples * bytesPerSample;
  const frames = Math.floor(samples.length / frameBytes);
  const before = heldBytes();
  const memories = Array.from({ length: streams }, () => createWakeMemory(words));
  let heard = 0;
  const hear = (wanted: number): void => {
    for (const until = heard + wanted * 50; heard < until; heard += 1) {
      for (const [stream, memory] of memories.entries()) {
        const at = ((heard + stream * 37) % frames) * frameBytes;
        // A copy, as sound from a socket is.
        memory.push(Uint8Array.from(samples.subarray(at, at + frameBytes)));
      }
    }
  };
  hear(seconds.warm);
  const begun = process.cpuUsage();
  hear(seconds.measured);
  const { user, system } = process.cpuUsage(begun);
  const held = heldBytes() - before;
  return {
    words: words.length,
    core: roundTo((user + system) / 1e6 / seconds.measured, 2),
    kilobytes: Math.round(held / streams / 1_000),
  };
}
