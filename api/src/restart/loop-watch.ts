import { url as debuggerAddress } from 'node:inspector';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

interface LoopWatched {
  /** Fields of the process in its log lines. */
  names: Readonly<Record<string, string>>;
  /** A loop that was stalled for this long counts as dead. */
  maxStillMs?: number;
  /** Called when the watchdog itself fails. */
  onError: (error: unknown) => void;
}

const maxStillMsByDefault = 20_000;
/**
 * Before its first iteration, a process loads and builds everything, which is slow on a busy small machine.
 */
const maxStartMs = 120_000;

/**
 * Kills this process when its event loop stalls, so that its supervisor restarts it. A hung process answers
 * no one and ignores stop signals. A separate thread watches, because the loop cannot.
 */
export function watchLoop({ names, maxStillMs = maxStillMsByDefault, onError }: LoopWatched): void {
  // A debugger stops the loop on purpose.
  if (debuggerAddress() !== undefined) return;
  const intervalMs = Math.min(1_000, maxStillMs / 10);
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), intervalMs).unref();
  const thread = new Worker(new URL(`./loop-watch-thread${extname(import.meta.filename)}`, import.meta.url), {
    workerData: { turns, intervalMs, maxStillMs, maxStartMs, names },
    env: {},
    // Drops the flags of this process, which may describe how to load its own main module.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // The process works without its watchdog.
  thread.on('error', onError);
  thread.unref();
}
