import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { type SatellitesThere, tellConnectedEveryMs } from '../timers/satellites-there.ts';
import type { TimerNews } from '../timers/timer-news.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import type { TimersHere } from '../timers/timers-here.ts';
import type { KnownSatellites } from './known-satellites.ts';

interface TimerWatchOptions {
  timers: Pick<TimerStore, 'all'>;
  there: Pick<SatellitesThere, 'all'>;
  here: Pick<TimersHere, 'read' | 'write' | 'tend' | 'nextInMs' | 'onNews'>;
  satellites: Pick<KnownSatellites, 'isEmpty' | 'announce' | 'note'>;
  /** Lets every satellite ring as it should by now. */
  assign: () => void;
  /** A timer rings or is missed, and no worker has said so. */
  onChange: (news: Pick<TimerNews, 'change' | 'timer'>) => void;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

/**
 * Keeps up with timers and satellites. It follows the news of timers, and reads everything anew every few seconds, so that a lost message keeps
 * no timer silent, or ringing. A timer that is due rings even if no news of it comes: Redis may be full or away, and the workers too.
 */
export function createTimerWatch(options: TimerWatchOptions) {
  const { timers, there, here, satellites, assign, onChange, onError, clock = machineClock } = options;
  let newsCount = 0;
  let next: NodeJS.Timeout | undefined;
  let due: NodeJS.Timeout | undefined;

  /** Rings now, and again when the next timer is due, whether or not anybody can be told. */
  const tend = (): void => {
    clearTimeout(due);
    if (satellites.isEmpty) return;
    for (const news of here.tend()) onChange(news);
    assign();
    const nextInMs = here.nextInMs();
    if (nextInMs === null) return;
    // Never a longer wait than this: somebody may set the clock meanwhile, or the machine may sleep.
    due = setTimeout(tend, Math.min(nextInMs, tellConnectedEveryMs));
  };

  const read = async (): Promise<void> => {
    const newsBefore = newsCount;
    // A full Redis takes nothing, but still gives what it has.
    await satellites.announce().catch(onError);
    const connected = await there.all(clock.steady());
    const records = await timers.all();
    // News that came meanwhile may be newer than the records.
    if (newsCount !== newsBefore) return read();
    satellites.note(connected);
    here.read(records);
    void here.write();
  };

  const lookAgain = (): void => {
    clearTimeout(next);
    if (!satellites.isEmpty) next = setTimeout(look, tellConnectedEveryMs);
  };
  const look = (then: () => Promise<void> = async () => undefined): void =>
    void read().finally(tend).then(then).catch(onError).finally(lookAgain);

  return {
    tend,
    /** Reads everything now, and then every few seconds while a satellite is connected. */
    look,
    /** Something has happened to a timer. */
    note(news: TimerNews): void {
      newsCount += 1;
      here.onNews(news);
    },
    /** No satellite is connected any more. */
    pause(): void {
      for (const timer of [next, due]) clearTimeout(timer);
    },
  };
}
