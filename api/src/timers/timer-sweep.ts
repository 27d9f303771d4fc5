import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { nextTransition } from './next-transition.ts';
import type { Timer } from './timer.ts';
import type { TimerNews } from './timer-news.ts';
import type { TimerStore } from './timer-store.ts';
import { nowOf, steppedMs } from './timer-time.ts';

/** `setTimeout` may fire slightly early. */
const spareMs = 5;

/** Runs due commands, and reports those that began but never ended. */
export interface SweepCommands {
  carryOut(timer: Timer): Promise<void>;
  lose(timer: Timer): Promise<void>;
}

interface SweepOptions {
  timers: Pick<TimerStore, 'all' | 'read' | 'ring' | 'miss' | 'forget'>;
  ringMs: () => number;
  commands: SweepCommands;
  log: Logger;
  clock?: HouseholdClock;
  /** Time between two sweeps. */
  intervalMs?: number;
}

export type TimerSweep = ReturnType<typeof createTimerSweep>;

/**
 * Repairs the timers after a crash, and rings them on time. It waits by local elapsed time. Jobs depend on
 * the clock of their worker, so ringing must not depend on jobs.
 */
export function createTimerSweep(options: SweepOptions) {
  const { timers, ringMs, commands, log, clock = machineClock, intervalMs = 5_000 } = options;
  const waits = new Map<string, NodeJS.Timeout>();

  // A command that has not begun is retried. One that has begun is reported as lost.
  const onCommandError = (error: unknown) => log.warn({ err: error }, 'cannot run a planned command now');

  const tend = async (timer: Timer): Promise<void> => {
    const now = nowOf(timer, clock);
    switch (nextTransition(timer, now, { ringMs: ringMs(), steppedMs: steppedMs(timer, clock) })) {
      case 'ring':
        // Two workers may get here, but the store lets only one succeed.
        if (await timers.ring(timer))
          log.info({ timer: timer.id, lateMs: Math.round(now - timer.dueAt) }, 'rings');
        return;
      case 'do':
        // Not awaited, because the house may be slow.
        return void commands.carryOut(timer).catch(onCommandError);
      case 'lose':
        return commands.lose(timer);
      case 'miss':
        if (await timers.miss(timer)) log.info({ timer: timer.id }, 'timer stopped ringing by itself');
        return;
      case 'forget':
        return void (await timers.forget(timer));
      case 'wait':
        if (timer.state === 'running') expect(timer, timer.dueAt - now);
    }
  };
  /** Waits for a timer that is due before the next sweep. */
  const expect = ({ id, state }: Timer, inMs: number): void => {
    clearTimeout(waits.get(id));
    waits.delete(id);
    if (state !== 'running' || inMs > intervalMs + 1_000) return;
    waits.set(id, setTimeout(() => come(id), Math.max(0, inMs) + spareMs).unref());
  };
  /** Reads the timer, because it may have changed or ring already. If it is not due yet, waits again. */
  const onDue = async (id: string): Promise<void> => {
    const timer = await timers.read(id);
    if (timer?.state === 'running') await tend(timer);
  };
  const come = (id: string): void => {
    waits.delete(id);
    // On failure, the next sweep handles it.
    onDue(id).catch((error) => log.debug({ err: error, timer: id }, 'cannot check a timer now'));
  };
  const sweep = async (): Promise<void> => {
    await clock.ready;
    for (const timer of await timers.all()) await tend(timer);
  };

  let running: Promise<void> | null = null;
  const checkAll = () => {
    running ??= sweep()
      .catch((error) => log.debug({ err: error }, 'cannot check the timers now'))
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(checkAll, intervalMs);

  return {
    /** Checks all timers now: at startup, and when Redis is back. */
    checkAll,
    /** The job of a timer runs. It may be early, late, or run several times. */
    onDue,
    /** A timer has changed. */
    onNews({ change, timer }: Pick<TimerNews, 'change' | 'timer'>): void {
      if (change === 'set' || change === 'changed') expect(timer, timer.dueAt - nowOf(timer, clock));
    },
    stop: () => {
      clearInterval(timer);
      for (const wait of waits.values()) clearTimeout(wait);
    },
  };
}
