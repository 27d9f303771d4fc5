import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';

/**
 * So many are always let in: a household is not to lose a room, or one of twenty programs, because the
 * machine is busy for a moment. Silent, they take less than half a core together.
 */
const always = 24;
/** Beyond them, so many in a second: what a satellite costs shows only when it is heard. */
const maxPerSecond = 8;
/** So many that say nothing take all the memory that the process has in a container. */
const maxSatellites = 512;

/** This process keeps up while it has time left, and what is due is not late. */
const maxBusyShare = 0.85;
const maxLagMs = 100;

/** How busy this process is. */
export interface Load {
  /** Part of the last seconds in which it worked, 0 to 1. */
  busyShare: number;
  /** By how much what was due ran late in them, on average. */
  lagMs: number;
}

interface AdmissionOptions {
  clock: Clock;
  load: () => Load;
}

/** Whether one more satellite can be served. The close reasons are for those who build satellites. */
export function createSatelliteAdmission({ clock, load }: AdmissionOptions) {
  let places = maxPerSecond;
  let lastMs = clock.nowMs();

  /** Takes a place among those who may come in this second. */
  const takePlace = (): boolean => {
    const nowMs = clock.nowMs();
    places = Math.min(maxPerSecond, places + ((nowMs - lastMs) / 1_000) * maxPerSecond);
    lastMs = nowMs;
    if (places < 1) return false;
    places -= 1;
    return true;
  };

  /** Why one more is refused, with so many here; null: it is let in. */
  return (here: number): string | null => {
    if (here < always) return null;
    if (here >= maxSatellites) return 'too many satellites are connected';
    const { busyShare, lagMs } = load();
    if (busyShare > maxBusyShare || lagMs > maxLagMs)
      return 'this server cannot keep up with more satellites';
    return takePlace() ? null : 'too many satellites connect at once';
  };
}

const everyMs = 1_000;
/** So much of what was known before still counts after a second: one busy moment is no reason. */
const memory = 0.5;

/** Measures the load of this process. */
export function watchLoad(): { load: () => Load; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let before = performance.eventLoopUtilization();
  let load: Load = { busyShare: 0, lagMs: 0 };
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const lagMs = Number.isNaN(delay.mean) ? 0 : Math.max(0, delay.mean / 1e6 - 20);
    delay.reset();
    load = {
      busyShare: memory * load.busyShare + (1 - memory) * utilization,
      lagMs: memory * load.lagMs + (1 - memory) * lagMs,
    };
  }, everyMs).unref();
  return {
    load: () => load,
    stop: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
