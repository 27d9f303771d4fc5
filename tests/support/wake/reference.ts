import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createMicroFrontend } from '../../../api/src/wake/micro-frontend.ts';
import type { WakeWord } from '../../../api/src/wake/wake-word.ts';
import { type WakeStep, WakeWordDetector } from '../../../api/src/wake/wake-word-detector.ts';

/** Result of the C library or our detector for one sound. */
const saidSchema = z.object({
  features: z.string(),
  words: z.record(z.string(), z.object({ probabilities: z.base64(), hits: z.array(z.number()) })),
});
type Said = z.infer<typeof saidSchema>;
export const referenceSchema = z.record(z.string(), saidSchema);

const program = join(import.meta.dirname, 'reference.py');

interface LibraryOptions {
  /** A Python with pymicro-wakeword. */
  python: string;
  /** The folder of the models. */
  models: string;
}

/** Runs the C library on sounds, by their names. */
export function askLibrary(
  sounds: ReadonlyMap<string, Int16Array>,
  { python, models }: LibraryOptions,
): Map<string, Said> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-wake-'));
  try {
    const names = [...sounds.keys()];
    const paths = names.map((_, n) => join(folder, `${n}.pcm`));
    for (const [n, sound] of [...sounds.values()].entries()) writeFileSync(paths[n] ?? '', bytesOf(sound));
    const told = execFileSync(python, [program, models], {
      input: paths.join('\n'),
      maxBuffer: 1 << 28,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = told.trim().split('\n');
    return new Map(lines.map((line, n) => [names[n] ?? '', saidSchema.parse(JSON.parse(line))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs our detector on a sound, in the same format. */
export function askDetector(sound: Int16Array, words: readonly WakeWord[]): Said {
  return {
    features: featuresOf(sound),
    words: Object.fromEntries(words.map((word) => [word.id, heard(sound, word)])),
  };
}

function featuresOf(sound: Int16Array): string {
  const digest = createHash('sha256');
  createMicroFrontend(10).push(sound, (features) => digest.update(bytesOf(features)));
  return digest.digest('hex');
}

function heard(sound: Int16Array, word: WakeWord): Said['words'][string] {
  const steps: WakeStep[] = [];
  new WakeWordDetector([word], { onStep: (step) => steps.push(step) }).push(sound);
  return {
    probabilities: Buffer.from(steps.map(({ probability }) => probability * 256)).toString('base64'),
    hits: steps.flatMap(({ score }, n) => (score > word.cutoff ? [n] : [])),
  };
}

function bytesOf(numbers: Int16Array | Uint16Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
