import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../json.ts';

const crashSchema = z.object({ at: z.number(), reason: z.string().max(600) });
const crashesSchema = z.record(z.string(), crashSchema);
/** A program that keeps crashing does so again within this time, loading its model included. */
const freshMs = 120_000;

interface CrashWatchOptions {
  /** Undefined: no supervisor writes crash reports. */
  file: string | undefined;
  everyMs?: number;
  /** Unix time in ms. */
  now?: () => number;
}

export type CrashWatch = ReturnType<typeof watchCrashes>;

/**
 * Reads why programs of `make run` ended, which its supervisor writes into a file (services/run/crashes.py).
 */
export function watchCrashes({ file, everyMs = 1_000, now = Date.now }: CrashWatchOptions) {
  let current: z.infer<typeof crashesSchema> = {};
  const refresh = async () => {
    // Without a crash there is no file.
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
    current = crashesSchema.safeParse(parseJson(text)).data ?? {};
  };
  void refresh();
  const timer = setInterval(refresh, everyMs).unref();

  return {
    /** Why the program ended, if it did so recently. */
    reasonOf(program: string): string | undefined {
      const crash = current[program];
      return crash !== undefined && now() - crash.at < freshMs ? crash.reason : undefined;
    },
    stop: () => clearInterval(timer),
  };
}
