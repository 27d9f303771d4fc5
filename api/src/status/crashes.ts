import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../json.ts';

const crashSchema = z.object({ at: z.number(), reason: z.string().max(600) });
type Crash = z.infer<typeof crashSchema>;
/** A program that keeps crashing does so again within this time, loading its model included. */
const freshMs = 120_000;
/** Engines write here, too, so files of other sizes or kinds are not read. */
const maxBytes = 4_096;
const maxFiles = 16;

interface CrashWatchOptions {
  /** Undefined: nothing writes crash reports. */
  folder: string | undefined;
  intervalMs?: number;
  /** Unix time in ms. */
  now?: () => number;
}

export type CrashWatch = ReturnType<typeof watchCrashes>;

/**
 * Reads why programs ended. `services/run/crashes.py` and, in containers, `services/crash-report.sh` write it
 * into a folder, one file per program.
 */
export function watchCrashes({ folder, intervalMs = 1_000, now = Date.now }: CrashWatchOptions) {
  let current: ReadonlyMap<string, Crash> = new Map();
  const refresh = async () => {
    if (folder !== undefined) current = await readCrashes(folder);
  };
  void refresh();
  const timer = setInterval(refresh, intervalMs).unref();

  return {
    /** Why the program ended, if it did so recently. */
    reasonOf(program: string): string | undefined {
      const crash = current.get(program);
      return crash !== undefined && now() - crash.at < freshMs ? crash.reason : undefined;
    },
    stop: () => clearInterval(timer),
  };
}

async function readCrashes(folder: string): Promise<Map<string, Crash>> {
  // Before the first crash there may be no folder.
  const names = await readdir(folder).catch(() => []);
  const crashes = new Map<string, Crash>();
  for (const name of names.filter((each) => /^[a-z]+\.json$/.test(each)).slice(0, maxFiles)) {
    const { data } = crashSchema.safeParse(
      parseJson(await readSmallFile(join(folder, name)).catch(() => '')),
    );
    if (data) crashes.set(basename(name, '.json'), data);
  }
  return crashes;
}

/** Reads a regular file. Opening a pipe, or a link to one, would block forever. */
async function readSmallFile(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (!(await file.stat()).isFile()) return '';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
