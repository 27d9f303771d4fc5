import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WakeWord } from './wake-word.ts';
import { readWakeWordFolder, type WakeWordFolder } from './wake-word-folder.ts';

/** Somebody who puts a file there need not restart anything; and nobody reads the folders for each piece of sound. */
const lookAgainMs = 10_000;

interface HouseholdWakeWordsOptions {
  /** The household's own goes last: a word of its own takes the place of one of the same name. */
  folders: readonly string[];
  /** Called once for each reason. */
  onRefused: (file: string, reason: string) => void;
  nowMs?: () => number;
}

export type HouseholdWakeWords = ReturnType<typeof createHouseholdWakeWords>;

/** The wake words whose models are there. For Node only. */
export function createHouseholdWakeWords(options: HouseholdWakeWordsOptions) {
  const { folders, onRefused, nowMs = () => performance.now() } = options;
  let known: WakeWordFolder = { words: [], refused: [] };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let print: string | null = null;
  const told = new Set<string>();

  const tell = ({ file, reason }: WakeWordFolder['refused'][number]): void => {
    if (told.has(`${file}: ${reason}`)) return;
    told.add(`${file}: ${reason}`);
    onRefused(file, reason);
  };
  const read = (): void => {
    const found = folders.map(readWakeWordFolder);
    const words = new Map(found.flatMap((folder) => folder.words.map((word) => [word.id, word] as const)));
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
    /** The same list as before if nothing has changed. */
    now(): WakeWordFolder {
      if (nowMs() - lookedAtMs >= lookAgainMs) look();
      return known;
    },
  };
}

/** Those of the words that have these names. */
export function wakeWordsOf(words: readonly WakeWord[], ids: readonly string[]): WakeWord[] {
  return words.filter(({ id }) => ids.includes(id));
}

/** What tells whether anything in a folder has changed. */
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
