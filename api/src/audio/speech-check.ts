import { createFramer, frameBytes } from './frames.ts';
import { type Pcm, toBytes, toNumbers } from './pcm.ts';
import type { Vad } from './vad.ts';

/**
 * Measured on 68 clips, single words among them ("yes", "stop"), and 170 sounds without speech. In two frames
 * in a row, every clip reaches 0.9 as it is and 0.4 when it is 50 dB quieter. Silence, noise, hum and clicks
 * stay below 0.17; music and tones do not, and the speech recognition judges those.
 */
const sureEnough = 0.2;
const framesInARow = 2;

/**
 * A recording is made this loud first: in a quiet one, the voice detection hears little of what a person
 * still understands.
 */
const usualPeak = 12_000;
const maxGain = 16;

export type SpeechCheck = (sound: Pcm, signal: AbortSignal) => Promise<boolean>;

/** Tells whether anybody speaks in a recording of 16 kHz. It listens no further than to the first word. */
export function createSpeechCheck({ vad }: { vad: Vad }): SpeechCheck {
  return async (sound, signal) => {
    const stream = vad.open();
    let inARow = 0;
    for (const frame of speechFrames(sound)) {
      signal.throwIfAborted();
      inARow = (await stream.speech(frame)) >= sureEnough ? inARow + 1 : 0;
      if (inARow === framesInARow) return true;
    }
    return false;
  };
}

/**
 * A sound of 16 kHz as whole frames for the voice detection, made louder where it is quiet. The last one is
 * filled with silence.
 */
export function speechFrames(sound: Pcm): Buffer[] {
  const samples = louder(sound);
  const missing = (frameBytes - (samples.length % frameBytes)) % frameBytes;
  return createFramer().push(Buffer.concat([samples, Buffer.alloc(missing)]));
}

function louder({ samples }: Pcm): Buffer {
  const numbers = toNumbers(samples);
  const peak = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const gain = Math.min(maxGain, usualPeak / Math.max(1, peak));
  return gain > 1 ? toBytes(numbers.map((number) => Math.round(number * gain))) : samples;
}
