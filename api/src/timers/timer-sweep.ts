import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { Timer } from './timer.ts';
import type { TimerNews } from './timer-news.ts';
import type { TimerStore } from './timer-store.ts';
import { nowOf, steppedMs } from './timer-time.ts';
import { whatNow } from './what-now.ts';

/** A wait may end a little before it should. */
const spareMs = 5;

/** Carries out a command that is due, and says so if that was begun and nobody knows how it ended. */
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
  /** Between two looks at all timers. */
  everyMs?: number;
}

export type TimerSweep = ReturnType<typeof createTimerSweep>;

/**
 * Makes good whatever a crash has left undone, and makes timers ring in time. It waits for the next ones by the time that passes here; their jobs
 * count by the clock of whichever worker takes them, so that they ring does not depend on any of these.
 */
export function createTimerSweep(options: SweepOptions) {
  const { timers, ringMs, commands, log, clock = machineClock, everyMs = 5_000 } = options;
  const waits = new Map<string, NodeJS.Timeout>();

  // One that was not begun is tried again, and one that was is told of.
  const onCommandError = (error: unknown) =>
    log.warn({ err: error }, 'a command cannot be carried out just now');

  const tend = async (timer: Timer): Promise<void> => {
    const now = nowOf(timer, clock);
    switch (whatNow(timer, now, { ringMs: ringMs(), steppedMs: steppedMs(timer, clock) })) {
      case 'ring':
        // Two workers may both be here: the store lets one of them.
        if (await timers.ring(timer))
          log.info({ timer: timer.id, lateMs: Math.round(now - timer.dueAt) }, 'rings');
        return;
      case 'do':
        // The house may be slow: nothing else waits for it.
        return void commands.carryOut(timer).catch(onCommandError);
      case 'lose':
        return commands.lose(timer);
      case 'miss':
        if (await timers.miss(timer)) log.info({ timer: timer.id }, 'nobody has stopped a timer');
        return;
      case 'forget':
        return void (await timers.forget(timer));
      case 'wait':
        if (timer.state === 'running') expect(timer, timer.dueAt - now);
    }
  };
  /** One that is due before the next look is waited for. */
  const expect = ({ id, state }: Timer, inMs: number): void => {
    clearTimeout(waits.get(id));
    waits.delete(id);
    if (state !== 'running' || inMs > everyMs + 1_000) return;
    waits.set(id, setTimeout(() => void come(id), Math.max(0, inMs) + spareMs).unref());
  };
  /** It is as it is by now: it may have been changed or cancelled. */
  const come = async (id: string): Promise<void> => {
    waits.delete(id);
    try {
      const timer = await timers.read(id);
      if (timer?.state === 'running') await tend(timer);
    } catch (error) {
      // The next look makes good for it.
      log.debug({ err: error, timer: id }, 'a timer cannot be looked after just now');
    }
  };
  const sweep = async (): Promise<void> => {
    await clock.ready;
    for (const timer of await timers.all()) await tend(timer);
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
    /** Something has happened to a timer. */
    onNews({ change, timer }: Pick<TimerNews, 'change' | 'timer'>): void {
      if (change === 'set' || change === 'changed') expect(timer, timer.dueAt - nowOf(timer, clock));
    },
    stop: () => {
      clearInterval(timer);
      for (const wait of waits.values()) clearTimeout(wait);
    },
  };
}
