import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WakeWord } from './wake-word.ts';
import { readWakeWordFolder, type WakeWordFolder } from './wake-word-folder.ts';

/**
 * How often the folders are checked. New files need no restart, and the disk is not read for each chunk of
 * sound.
 */
const recheckDelayMs = 10_000;

interface HouseholdWakeWordsOptions {
  /**
   * In ascending priority. The household's folder comes last, so that its words replace others of the same
   * name.
   */
  folders: readonly string[];
  /** Called once per file and reason. */
  onRefused: (file: string, reason: string) => void;
  nowMs?: () => number;
}

export type HouseholdWakeWords = ReturnType<typeof createHouseholdWakeWords>;

/** The wake words with a model on disk. Node only. */
export function createHouseholdWakeWords(options: HouseholdWakeWordsOptions) {
  const { folders, onRefused, nowMs = () => performance.now() } = options;
  let known: WakeWordFolder = { words: [], refused: [] };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let print: string | null = null;
  let byFolder: readonly (readonly string[])[] = [];
  const reported = new Set<string>();

  const tell = ({ file, reason }: WakeWordFolder['refused'][number]): void => {
    if (reported.has(`${file}: ${reason}`)) return;
    reported.add(`${file}: ${reason}`);
    onRefused(file, reason);
  };
  const read = (): void => {
    const found = folders.map(readWakeWordFolder);
    const words = new Map(found.flatMap((folder) => folder.words.map((word) => [word.id, word] as const)));
    byFolder = found.map(({ words: some }) => some.map(({ id }) => id));
    known = { words: [...words.values()], refused: found.flatMap((folder) => folder.refused) };
    known.refused.forEach(tell);
  };
  const look = (): void => {
    lookedAtMs = nowMs();
    const seen = folders.map(printOf).join('\n');
    if (seen === print) return;
    print = seen;
    read();
  };

  return {
    /** Returns the same object if nothing has changed. */
    now(): WakeWordFolder {
      if (nowMs() - lookedAtMs >= recheckDelayMs) look();
      return known;
    },
    /** Reads the folders again at once, for a caller that has changed a file. */
    lookAgain(): void {
      print = null;
      look();
    },
    /** The ids of the words in the household's folder, and those in the others. */
    origins: () => ({ own: byFolder.at(-1) ?? [], shipped: byFolder.slice(0, -1).flat() }),
  };
}

/** Filters the words by id. */
export function wakeWordsOf(words: readonly WakeWord[], ids: readonly string[]): WakeWord[] {
  return words.filter(({ id }) => ids.includes(id));
}

/** Fingerprint of a folder, to detect changes. */
function printOf(folder: string): string {
  try {
    return readdirSync(folder)
      .map((name) => {
        const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
        return `${name} ${size} ${mtimeMs}`;
      })
      .join('\n');
  } catch {
    return '';
  }
}
