import { url as debuggerAddress } from 'node:inspector';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface LoopWatched {
  /** The process, as it is named in its log lines. */
  names: Readonly<Record<string, string>>;
  /** A loop that has not turned for so long never will again. */
  maxStillMs?: number;
  /** The watch itself has failed. */
  onError: (error: unknown) => void;
}

const maxStillMsByDefault = 20_000;
/** Until its first turn a process reads and builds everything, which takes a busy small machine long. */
const maxStartMs = 120_000;

/**
 * Ends this process when its loop stands still, so that whoever started it starts it anew: a hung process answers nobody, and does not even hear
 * that it should stop. A thread of its own watches, for the loop cannot.
 */
export function watchLoop({ names, maxStillMs = maxStillMsByDefault, onError }: LoopWatched): void {
  // A debugger holds the loop on purpose.
  if (debuggerAddress() !== undefined) return;
  const everyMs = Math.min(1_000, maxStillMs / 10);
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), everyMs).unref();
  const thread = new Worker(new URL(`./loop-watch-thread${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { turns, everyMs, maxStillMs, maxStartMs, names },
    env: {},
    // Not the flags of this process, which may say how to read its own main module.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // Without its watch the process still works.
  thread.on('error', onError);
  thread.unref();
}
