import { writeSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

interface Watched {
  /** Grows with every turn of the loop. */
  turns: Int32Array;
  everyMs: number;
  maxStillMs: number;
  /** The same before the first turn. */
  maxStartMs: number;
  names: Readonly<Record<string, string>>;
}

/**
 * Counts only time that this thread has seen pass: when the whole process is stopped, or the machine sleeps, the loop has no chance to turn, and
 * afterwards that is no reason to end it.
 */
function watch({ turns, everyMs, maxStillMs, maxStartMs, names }: Watched): void {
  let seen = Atomics.load(turns, 0);
  let stillMs = 0;
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    const passedMs = Math.min(now - lookedAt, 2 * everyMs);
    lookedAt = now;
    const count = Atomics.load(turns, 0);
    stillMs = count === seen ? stillMs + passedMs : 0;
    seen = count;
    if (stillMs >= (count === 0 ? maxStartMs : maxStillMs)) end(names, stillMs);
  }, everyMs);
}

/** Without a farewell: whatever holds the loop would hold that too. */
function end(names: Watched['names'], stillMs: number): void {
  const msg = 'the process ends because its loop stands still';
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

// The image's build loads every module once; only the thread watches.
if (!isMainThread) watch(workerData);
