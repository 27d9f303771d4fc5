import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';

/**
 * Number of satellites always admitted. A short load peak must not cost a household a room. While silent,
 * they use less than half a core together.
 */
const always = 24;
/** Maximum further satellites per second: the cost of a satellite shows only once it sends speech. */
const maxPerSecond = 8;
/** Maximum number of satellites. So many silent ones fill the container's memory. */
const maxSatellites = 512;

/** Limits of the load. Above them, this process falls behind. */
const maxBusyShare = 0.85;
const maxLagMs = 100;

/** The load of this process. */
export interface ProcessLoad {
  /** Share of the last seconds in which the process worked, 0 to 1. */
  busyShare: number;
  /** Average delay of timers in the last seconds. */
  lagMs: number;
}

interface AdmissionOptions {
  clock: Clock;
  load: () => ProcessLoad;
}

/** Decides whether to admit another satellite. The close reasons address people who build satellites. */
export function createSatelliteAdmission({ clock, load }: AdmissionOptions) {
  let places = maxPerSecond;
  let lastMs = clock.nowMs();

  /** Takes one of the admissions of this second. False: none is left. */
  const takePlace = (): boolean => {
    const nowMs = clock.nowMs();
    places = Math.min(maxPerSecond, places + ((nowMs - lastMs) / 1_000) * maxPerSecond);
    lastMs = nowMs;
    if (places < 1) return false;
    places -= 1;
    return true;
  };

  /** Why another satellite is refused with this many connected; null: it is admitted. */
  return (here: number): string | null => {
    if (here < always) return null;
    if (here >= maxSatellites) return 'too many satellites are connected';
    const { busyShare, lagMs } = load();
    if (busyShare > maxBusyShare || lagMs > maxLagMs)
      return 'this server cannot keep up with more satellites';
    return takePlace() ? null : 'too many satellites connect at once';
  };
}

const intervalMs = 1_000;
/** Weight of the previous average after a second, so that one busy moment does not count. */
const memory = 0.5;

/** Measures the load of this process. */
export function watchLoad(): { load: () => ProcessLoad; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let before = performance.eventLoopUtilization();
  let load: ProcessLoad = { busyShare: 0, lagMs: 0 };
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
  }, intervalMs).unref();
  return {
    load: () => load,
    stop: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
