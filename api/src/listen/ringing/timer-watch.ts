import { type HouseholdClock, machineClock } from '../../redis/household-clock.ts';
import { type SatellitesThere, tellConnectedEveryMs } from '../../timers/satellites-there.ts';
import type { Timer } from '../../timers/timer.ts';
import type { TimerNews } from '../../timers/timer-news.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import type { TimersHere } from '../../timers/timers-here.ts';
import type { KnownSatellites } from './known-satellites.ts';

interface TimerWatchOptions {
  timers: Pick<TimerStore, 'all'>;
  there: Pick<SatellitesThere, 'all'>;
  here: Pick<TimersHere, 'read' | 'write' | 'tend' | 'nextInMs' | 'onNews'>;
  satellites: Pick<KnownSatellites, 'isEmpty' | 'announce' | 'note'>;
  /** Updates what every satellite rings. */
  assign: () => void;
  /** Called when a timer rings or is missed before a worker has reported it. */
  onChange: (news: Pick<TimerNews, 'change' | 'timer'>) => void;
  /** Called for a timer that is over. Its message was lost, or comes later. */
  onGone: (timer: Timer) => void;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

/**
 * Follows timers and satellites. It also reads everything again every few seconds. So a lost message cannot
 * silence a timer or keep it ringing. A due timer rings even without a message, because Redis or the workers
 * may be unavailable.
 */
export function createTimerWatch(options: TimerWatchOptions) {
  const {
    timers,
    there,
    here,
    satellites,
    assign,
    onChange,
    onGone,
    onError,
    clock = machineClock,
  } = options;
  let newsCount = 0;
  let next: NodeJS.Timeout | undefined;
  let due: NodeJS.Timeout | undefined;

  /** Rings due timers now and schedules the next, even if no other process can be told. */
  const tend = (): void => {
    clearTimeout(due);
    if (satellites.isEmpty) return;
    for (const news of here.tend()) onChange(news);
    assign();
    const nextInMs = here.nextInMs();
    if (nextInMs === null) return;
    // Limited, because the clock may be set or the machine may sleep meanwhile.
    due = setTimeout(tend, Math.min(nextInMs, tellConnectedEveryMs));
  };

  const read = async (): Promise<void> => {
    const newsBefore = newsCount;
    // A full Redis rejects writes, but reads still work.
    await satellites.announce().catch(onError);
    const connected = await there.all(clock.steady());
    const records = await timers.all();
    // Messages that arrived meanwhile may be newer than the records.
    if (newsCount !== newsBefore) return read();
    satellites.note(connected);
    for (const timer of here.read(records)) onGone(timer);
    void here.write();
  };

  const readLater = (): void => {
    clearTimeout(next);
    if (!satellites.isEmpty) next = setTimeout(readAll, tellConnectedEveryMs);
  };
  const readAll = (then: () => Promise<void> = async () => undefined): void =>
    void read().finally(tend).then(then).catch(onError).finally(readLater);

  return {
    tend,
    /** Reads everything now, and every few seconds while a satellite is connected. */
    readAll,
    /** A timer has changed. */
    note(news: TimerNews): void {
      newsCount += 1;
      here.onNews(news);
    },
    /** The last satellite has disconnected. */
    pause(): void {
      for (const timer of [next, due]) clearTimeout(timer);
    },
  };
}
