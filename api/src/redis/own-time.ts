import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The coarse uptime cannot show a shorter sleep, which does no harm. */
const minSleepMs = 1_000;
/** Maximum distance between two readings of a clock that count as undisturbed. */
const closeMs = 5;
const maxReadings = 5;

/**
 * How far another clock is ahead of one, and by how much that may be wrong. The closest of several readings
 * count, because a busy machine may stop the process between two of them. Processes that disagree would take
 * each other's time for a step.
 */
export function aheadOf(oneMs: () => number, otherMs: () => number): { ms: number; errorMs: number } {
  let closest = { ms: 0, errorMs: Number.POSITIVE_INFINITY };
  for (let count = 0; count < maxReadings && closest.errorMs > closeMs; count += 1) {
    const beganMs = oneMs();
    const ms = otherMs();
    const errorMs = (oneMs() - beganMs) / 2;
    if (errorMs < closest.errorMs) closest = { ms: ms - beganMs - errorMs, errorMs };
  }
  return closest;
}

interface OwnTimeOptions {
  /** Monotonic clock, independent of the wall clock. It may stop while the machine sleeps. */
  monotonicMs?: () => number;
  /** Time since the machine was started, in ms, with sleep. Slightly coarser. */
  uptimeMs?: () => number;
}

/**
 * Monotonic time of this process, in ms from an arbitrary origin. It is independent of clock changes, and
 * continues while the process is stopped or the machine sleeps. It adds sleep from the uptime to the
 * monotonic clock (Linux: CLOCK_BOOTTIME).
 */
export function createOwnTime(options: OwnTimeOptions = {}): () => number {
  const { monotonicMs = () => performance.now(), uptimeMs = machineUptime() } = options;
  const begunMs = aheadOf(monotonicMs, uptimeMs).ms;
  let sleptMs = 0;
  return () => {
    // A stall between these two readings shortens the difference, so it never looks like sleep.
    const awakeMs = uptimeMs() - begunMs;
    const nowMs = monotonicMs();
    const apartMs = awakeMs - nowMs;
    if (apartMs - sleptMs >= minSleepMs) sleptMs = apartMs;
    return nowMs + sleptMs;
  };
}

/** A smaller difference is rounding. */
const minApartMs = 2_000;
const nsPerMs = 1_000_000;

interface UptimeOptions {
  uptimeMs?: () => number;
  /** Monotonic clock of the machine, from its start. It may stop while the machine sleeps. */
  sinceBootMs?: () => number;
}

/**
 * Time since the machine was started, in ms, with sleep. Some containers (LXC) report their own uptime, which
 * restarts with each container. It is then behind the monotonic clock, which belongs to the machine even
 * there. The start time of the process proves nothing, because a shell may wait before it becomes Node.
 */
export function machineUptime(options: UptimeOptions = {}): () => number {
  const { uptimeMs = () => uptime() * 1_000 } = options;
  const { sinceBootMs = () => Number(process.hrtime.bigint()) / nsPerMs } = options;
  const behindMs = aheadOf(uptimeMs, sinceBootMs).ms;
  return behindMs < minApartMs ? uptimeMs : () => uptimeMs() + behindMs;
}

/**
 * Identifies the boot of the machine, for all processes and containers on it. Null if the system does not
 * report it.
 */
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
