import { createFramer, frameBytes } from './frames.ts';
import { type Pcm, toBytes, toNumbers } from './pcm.ts';
import type { Vad } from './vad.ts';

/**
 * Measured on 68 clips, including single words ("yes", "stop"), and 170 sounds without speech.
 * In two consecutive frames, every clip reaches 0.9 unchanged and 0.4 when it is 50 dB quieter. Silence,
 * noise, hum and clicks stay below 0.17. Music and tones do not; speech recognition judges those.
 */
const sureEnough = 0.2;
const framesInARow = 2;

/**
 * Level for recordings before the check: in a quiet one, the VAD misses speech that a person still
 * understands.
 */
const usualPeak = 12_000;
const maxGain = 16;

export type SpeechCheck = (sound: Pcm, signal: AbortSignal) => Promise<boolean>;

/** Checks a 16 kHz recording for speech. Stops at the first word. */
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

/** A 16 kHz sound as whole frames for the VAD, amplified if it is quiet. Pads the last frame with silence. */
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
