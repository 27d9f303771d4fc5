import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Pcm, toBytes, toNumbers } from '../../api/src/audio/pcm.ts';
import { resample } from '../../api/src/audio/resample.ts';
import { readWav } from '../../api/src/audio/wav.ts';
import { seeded } from '../../tests/support/wake/sounds.ts';

const runFile = promisify(execFile);
const rateHz = 16_000;

/** A voice that speaks a text; null if it cannot. */
export type Speaker = (text: string) => Promise<Int16Array | null>;

/** Voices of espeak-ng: five accents, nine timbres. */
export function espeakSpeakers(): Speaker[] {
  const accents = ['en-us', 'en-gb', 'en-gb-scotland', 'en-gb-x-rp', 'en-gb-x-gbclan'];
  const timbres = ['', '+f2', '+f3', '+f4', '+m2', '+m3', '+m4', '+m7', '+klatt4'];
  return accents.flatMap((accent, row) =>
    timbres.map((timbre, column) => {
      const speed = 130 + ((row * timbres.length + column) % 4) * 20;
      return async (text: string) => {
        const args = ['-v', `${accent}${timbre}`, '-s', String(speed), '--stdout', '--', text];
        const { stdout } = await runFile('espeak-ng', args, { encoding: 'buffer', maxBuffer: 1 << 28 });
        return await speechOf(stdout);
      };
    }),
  );
}

/** Piper's one voice as several: slower and faster, higher and lower. */
export function piperSpeakers(url: string): Speaker[] {
  const lengths = [0.85, 0.95, 1.05, 1.15, 1.3];
  const pitches = [0.88, 0.94, 1, 1.06, 1.12];
  return lengths.flatMap((lengthScale) =>
    pitches.map((pitch) => async (text: string) => {
      const answer = await fetch(`${url}/synthesize`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, length_scale: lengthScale * pitch }),
        signal: AbortSignal.timeout(60_000),
      });
      return answer.ok ? await speechOf(Buffer.from(await answer.arrayBuffer()), pitch) : null;
    }),
  );
}

/**
 * The same speakers, which keep their utterances in this folder. Piper says a text differently each time, so
 * later runs hear the same and need not wait. `voice` names what they speak with.
 */
export function kept(speakers: readonly Speaker[], { folder, voice }: { folder: string; voice: string }) {
  mkdirSync(folder, { recursive: true });
  return speakers.map((speaker, n): Speaker => {
    return async (text) => {
      const name = createHash('sha256')
        .update(JSON.stringify([voice, n, text]))
        .digest('hex');
      const file = join(folder, `${name}.pcm`);
      if (existsSync(file)) return toNumbers(readFileSync(file));
      const speech = await speaker(text);
      if (speech) writeFileSync(file, toBytes(speech));
      return speech;
    };
  });
}

/** A recording at 16 kHz, played at a higher pitch. */
async function speechOf(file: Buffer, pitch = 1): Promise<Int16Array | null> {
  const sound = readWav(file);
  if (!sound) return null;
  const shifted: Pcm = { ...sound, sampleRateHz: Math.round(sound.sampleRateHz * pitch) };
  return toNumbers((await resample(shifted, rateHz)).samples);
}

/** With a second of a quiet room before and after it. */
export function inRoom(speech: Int16Array): Int16Array {
  const next = seeded(speech.length);
  const sound = Int16Array.from({ length: speech.length + 2 * rateHz }, () => (2 * next() - 1) * 20);
  for (let n = 0; n < speech.length; n += 1)
    sound[rateHz + n] = clamp((speech[n] ?? 0) + (sound[rateHz + n] ?? 0));
  return sound;
}

export const surroundings = {
  clean: (sound: Int16Array) => sound,
  far: (sound: Int16Array) => fromAfar(sound),
  'noise 10 dB': (sound: Int16Array) => withNoise(sound, 10),
  'noise 5 dB': (sound: Int16Array) => withNoise(sound, 5),
} as const;

/** Across a room: 18 dB softer, dull, with 80 echoes that fade away within half a second. */
function fromAfar(sound: Int16Array): Int16Array {
  const next = seeded(99);
  const echoes = Array.from({ length: 80 }, (_, n) => {
    const late = Math.floor(30 + next() * 0.4 * rateHz);
    return { late, height: (n % 2 === 0 ? 0.35 : -0.35) * 10 ** ((-3 * late) / (0.5 * rateHz)) };
  });
  const far = Float64Array.from(sound);
  for (const { late, height } of echoes) {
    for (let n = late; n < far.length; n += 1) far[n] = (far[n] ?? 0) + height * (sound[n - late] ?? 0);
  }
  let dull = 0;
  return Int16Array.from(far, (sample) => {
    dull += (sample - dull) * 0.6;
    return clamp(dull / 8);
  });
}

/** Noise that is stronger at lower frequencies, this many dB below the speech. */
function withNoise(sound: Int16Array, belowDb: number): Int16Array {
  const next = seeded(17);
  let low = 0;
  const noise = Float64Array.from(sound, () => {
    low += (2 * next() - 1 - low) * 0.2;
    return low;
  });
  const speech = sound.filter((sample) => Math.abs(sample) > 200);
  const height = (loudness(speech) / loudness(noise)) * 10 ** (-belowDb / 20);
  return sound.map((sample, n) => clamp(sample + height * (noise[n] ?? 0)));
}

function loudness(samples: Int16Array | Float64Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

const clamp = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));
