import { type Pcm, toNumbers } from './pcm.ts';

const frameMs = 32;
/** The loudest tenth of a recording is the voice, the quietest tenth the room. */
const voiceAt = 0.9;
const roomAt = 0.1;
/** Upper limit: perfect silence between words does not make a microphone better. */
const maxDb = 40;

/**
 * How far the voice stands out from the room in a recording, in dB. Microphone gain does not change it,
 * because the room gets louder too.
 */
export function clarityOf({ sampleRateHz, samples }: Pcm): number {
  const numbers = toNumbers(samples);
  const frame = Math.round((sampleRateHz * frameMs) / 1_000);
  const levels = Float64Array.from({ length: Math.floor(numbers.length / frame) }, (_, at) =>
    levelOf(numbers.subarray(at * frame, (at + 1) * frame)),
  ).toSorted();
  const at = (part: number) => levels[Math.floor(part * (levels.length - 1))] ?? 0;
  return Math.min(maxDb, at(voiceAt) - at(roomAt));
}

/** The mean power in dB. Digital silence counts as the quietest possible sound. */
function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return 10 * Math.log10(Math.max(1, sum / samples.length));
}
