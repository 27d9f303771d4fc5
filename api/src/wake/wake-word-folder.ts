import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createStreamingModel } from './streaming-model.ts';
import { modelLimits } from './tflite-file.ts';
import { UnreadableModel } from './unreadable-model.ts';
import { readWakeWordManifest, type WakeWord } from './wake-word.ts';

/** The wake words in a folder, and the rejected files. */
export interface WakeWordFolder {
  words: WakeWord[];
  refused: { file: string; reason: string }[];
}

/** More words than anyone uses at once. */
export const maxWakeWords = 50;
const maxManifestBytes = 100_000;

/**
 * Reads every `.json` in a folder with its `.tflite`. An invalid file is listed with a reason and does not
 * affect others. A missing folder counts as empty. Node only; the rest of this folder also runs in browsers.
 */
export function readWakeWordFolder(folder: string): WakeWordFolder {
  const found: WakeWordFolder = { words: [], refused: [] };
  const names = filesIn(folder).toSorted();
  const used = new Set<string>();
  for (const file of names.filter((name) => name.endsWith('.json'))) {
    try {
      if (found.words.length === maxWakeWords)
        throw new UnreadableModel(`there are ${maxWakeWords} words already`);
      const word = wordOf(folder, file);
      used.add(word.modelFile);
      found.words.push(word);
    } catch (error) {
      found.refused.push({ file, reason: reasonOf(error) });
    }
  }
  for (const file of names.filter((name) => name.endsWith('.tflite') && !used.has(name))) {
    const manifest = file.replace(/\.tflite$/, '.json');
    if (!names.includes(manifest))
      found.refused.push({ file, reason: `no .json describes it, such as ${manifest}` });
  }
  return found;
}

function filesIn(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
}

function wordOf(folder: string, file: string): WakeWord {
  const manifest = readWakeWordManifest(
    new TextDecoder().decode(bytesOf(join(folder, file), maxManifestBytes)),
  );
  const model = Uint8Array.from(bytesOf(join(folder, manifest.modelFile), modelLimits.fileBytes));
  // Loading it proves that the model can run.
  createStreamingModel(model);
  return { ...manifest, id: manifest.modelFile.replace(/\.tflite$/, ''), model };
}

/** Reads a file, unless it is over the limit. */
function bytesOf(path: string, maxBytes: number): Uint8Array {
  const status = statSync(path);
  if (!status.isFile()) throw new UnreadableModel('it is not a file');
  if (status.size > maxBytes) {
    throw new UnreadableModel(
      `it is too large (${(status.size / 1e6).toFixed(1)} MB of at most ${maxBytes / 1e6})`,
    );
  }
  return readFileSync(path);
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableModel) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'its model is missing' : 'it cannot be read';
}
