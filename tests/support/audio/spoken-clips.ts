import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readWav } from '../../../api/src/audio/wav.ts';

const root = resolve(import.meta.dirname, '../../..');
const kept = join(root, 'services/stt/tests/clips');
const many = process.env['STT_TEST_SPEECH_DIR'] ?? resolve(root, '../shared/speech');

const caseSchema = z.object({
  file: z.string(),
  text: z.string(),
  /** Start and end of each stretch of speech, in seconds. */
  speech: z.array(z.tuple([z.number(), z.number()])),
});

export type SpokenCase = z.infer<typeof caseSchema>;

/** The clips stored beside the repository; empty if they are missing. */
export const spokenCases: readonly SpokenCase[] = existsSync(join(many, 'cases.json'))
  ? z.array(caseSchema).parse(JSON.parse(readFileSync(join(many, 'cases.json'), 'utf8')))
  : [];

/** Samples of a clip stored beside the repository: 16 kHz. */
export const spokenCase = (file: string): Buffer => samplesOf(join(many, file));

/** The same clip as a whole recording. */
export const spokenRecording = (file: string): Buffer => readFileSync(join(many, file));

/**
 * A clip from the repository that contains only speech, at 16 kHz. `hello` lasts 0.6 s, `weather` 1.5 s; also
 * `stop-stop` and `pause`.
 */
export const spokenClip = (name: 'hello' | 'weather' | 'stop-stop' | 'pause'): Buffer =>
  samplesOf(join(kept, `${name}.wav`));

export const quiet = (ms: number): Buffer => Buffer.alloc(ms * 16 * 2);

/** Steady noise like a fan's, identical each time; `level`: its loudest sample, relative to 1. */
export function fan(ms: number, level = 0.05): Buffer {
  const sound = quiet(ms);
  let seed = 1;
  for (let at = 0; at < sound.length; at += 2) {
    seed = (seed * 16_807) % 2_147_483_647;
    sound.writeInt16LE(Math.round((seed / 1_073_741_824 - 1) * level * 32_767), at);
  }
  return sound;
}

function samplesOf(path: string): Buffer {
  const sound = readWav(readFileSync(path));
  if (sound?.sampleRateHz !== 16_000) throw new Error(`${path} is not a 16-bit mono WAV of 16 kHz`);
  return sound.samples;
}
