import { join, resolve } from 'node:path';
import { readWakeWordFolder } from '../../../api/src/wake/wake-word-folder.ts';

/** The folder of fetched wake words; it may be missing. */
export const wakeWordFolder = join(
  process.env['TEST_MODELS_DIR'] ?? resolve(import.meta.dirname, '../../../data/models'),
  'wake',
);

export const { words: fetchedWakeWords } = readWakeWordFolder(wakeWordFolder);
