import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A sleep shorter than this is not told from the coarser steps of the machine's uptime, and is no harm. */
const leastSleepMs = 1_000;

interface OwnTimeOptions {
  /** Goes on by itself, whatever becomes of the wall clock. It may stand still while the machine sleeps. */
  monotonicMs?: () => number;
  /** Since the machine was started, in ms, sleep included; a little coarser. */
  uptimeMs?: () => number;
}

/**
 * Time as it passes for this process, in ms since no particular moment. No setting of a clock moves it, and it goes on while the process is
 * stopped and while the machine sleeps: the monotonic clock, with the sleep that only the uptime counts (Linux: CLOCK_BOOTTIME).
 */
export function createOwnTime(options: OwnTimeOptions = {}): () => number {
  const { monotonicMs = () => performance.now(), uptimeMs = machineUptime() } = options;
  const begunMs = uptimeMs() - monotonicMs();
  let sleptMs = 0;
  return () => {
    const nowMs = monotonicMs();
    const apartMs = uptimeMs() - nowMs - begunMs;
    if (apartMs - sleptMs >= leastSleepMs) sleptMs = apartMs;
    return nowMs + sleptMs;
  };
}

/** The parts of a second in which Linux tells when a process was started. */
const ticksPerS = 100;
/** Less is the rounding of both. */
const leastApartMs = 2_000;

interface UptimeOptions {
  uptimeMs?: () => number;
  /** Since this process was started. */
  ageMs?: () => number;
  /** Where the system tells when that was. */
  file?: string;
}

/**
 * Since the machine was started, sleep included. Some containers (LXC) tell their own uptime instead, which begins anew with each of them; when a
 * process was started is told by the machine's even there.
 */
export function machineUptime(options: UptimeOptions = {}): () => number {
  const { uptimeMs = () => uptime() * 1_000, ageMs = () => process.uptime() * 1_000 } = options;
  const startedMs = startOf(options.file ?? '/proc/self/stat');
  const apartMs = startedMs === null ? 0 : startedMs + ageMs() - uptimeMs();
  return Math.abs(apartMs) < leastApartMs ? uptimeMs : () => uptimeMs() + apartMs;
}

/** When a process was started, in ms since the machine was; null where the system does not tell. */
function startOf(file: string): number | null {
  const told = readOrNull(file);
  // The name of the program, in brackets, may contain anything. Behind it the 20th field is the start.
  const ticks = Number(told?.slice(told.lastIndexOf(')') + 2).split(' ')[19]);
  return ticks > 0 ? (ticks * 1_000) / ticksPerS : null;
}

/** Names the time since the machine was started, for every process and container on it; null where the system does not tell. */
export function bootOf(file = '/proc/sys/kernel/random/boot_id'): string | null {
  return readOrNull(file)?.trim() ?? null;
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
