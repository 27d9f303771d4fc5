import { writeSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

interface Watched {
  /** Incremented by every iteration of the event loop. */
  turns: Int32Array;
  intervalMs: number;
  maxStillMs: number;
  /** The same limit before the first iteration. */
  maxStartMs: number;
  names: Readonly<Record<string, string>>;
}

/**
 * Counts only time in which this thread ran. A stopped process or a sleeping machine stalls the loop, too,
 * and is no reason to kill the process.
 */
function watch({ turns, intervalMs, maxStillMs, maxStartMs, names }: Watched): void {
  let seen = Atomics.load(turns, 0);
  let stillMs = 0;
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    const passedMs = Math.min(now - lookedAt, 2 * intervalMs);
    lookedAt = now;
    const count = Atomics.load(turns, 0);
    stillMs = count === seen ? stillMs + passedMs : 0;
    seen = count;
    if (stillMs >= (count === 0 ? maxStartMs : maxStillMs)) end(names, stillMs);
  }, intervalMs);
}

/** Kills without cleanup, because the stalled loop would block that, too. */
function end(names: Watched['names'], stillMs: number): void {
  const msg = 'the process ends because its event loop has stalled';
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    ...names,
    stillMs: Math.round(stillMs),
    msg,
  };
  try {
    writeSync(1, `${JSON.stringify(line)}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

// The image build loads every module once, outside a worker thread.
if (!isMainThread) watch(workerData);
