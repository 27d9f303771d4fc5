import type { Logger } from '../log.ts';
import type { Timer } from './timer.ts';
import type { TimerStore } from './timer-store.ts';
import { whatNow } from './what-now.ts';

/** A job is worth adding when it is needed soon; until then Redis may lose it again. */
const soonMs = 60_000;

interface SweepOptions {
  timers: TimerStore;
  /** Whether a job waits for the timer's due time. */
  hasJob: (timer: Timer) => Promise<boolean>;
  ringMs: () => number;
  log: Logger;
  /** How late a timer is at the most whose job was lost. */
  everyMs?: number;
}

export type TimerSweep = ReturnType<typeof createTimerSweep>;

/**
 * Makes good whatever a crash has left undone. The jobs make timers ring in time; that they ring at all does not depend on any of them.
 */
export function createTimerSweep({ timers, hasJob, ringMs, log, everyMs = 5_000 }: SweepOptions) {
  const tend = async (timer: Timer, now: number): Promise<void> => {
    switch (whatNow(timer, now, { ringMs: ringMs() })) {
      case 'ring':
        // Two workers may both be here: the store lets one of them.
        if (await timers.ring(timer, now)) log.info({ timer: timer.id, lateMs: now - timer.dueAt }, 'rings');
        return;
      case 'miss':
        if (await timers.miss(timer)) log.info({ timer: timer.id }, 'nobody has stopped a timer');
        return;
      case 'forget':
        return void (await timers.forget(timer));
      case 'wait':
        if (timer.state !== 'running' || timer.dueAt - now > soonMs || (await hasJob(timer))) return;
        await timers.jobs.add(timer);
        log.info({ timer: timer.id }, 'a timer had no job, and has one again');
    }
  };
  const sweep = async (): Promise<void> => {
    for (const timer of await timers.all()) await tend(timer, Date.now());
  };

  let running: Promise<void> | null = null;
  const look = () => {
    running ??= sweep()
      .catch((error) => log.debug({ err: error }, 'the timers cannot be looked after just now'))
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(look, everyMs);

  return {
    /** Looks after all timers now: at the start, and when Redis is back. */
    look,
    tend,
    stop: () => clearInterval(timer),
  };
}
