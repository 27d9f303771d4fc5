import { type SatellitesThere, tellConnectedEveryMs } from '../timers/satellites-there.ts';
import type { Place, Timer } from '../timers/timer.ts';
import type { TimerNews } from '../timers/timer-news.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { createTimersHere } from '../timers/timers-here.ts';
import { createKnownSatellites, type RingingSatellite } from './known-satellites.ts';
import type { RunningTimer } from './listen-events.ts';
import { createRingAssignment } from './ring-assignment.ts';
import { isNewsToSatellites, runningTimer, timerEvent } from './timer-events.ts';

interface RingerOptions {
  timers: Pick<TimerStore, 'all' | 'ring' | 'noteHeard' | 'miss' | 'silence' | 'claim' | 'forget'>;
  there: SatellitesThere;
  /** The words for a timer that rings or was missed, at a time. */
  wordsFor: (timer: Timer, now: number) => string;
  /** During quiet hours a timer rings only where it was asked for. */
  isQuiet: () => boolean;
  /** How long a timer rings. */
  ringMs: () => number;
  /** A timer rings or is missed, and no worker has said so. */
  onAlone: (news: Pick<TimerNews, 'change' | 'timer'>) => void;
  onError: (error: unknown) => void;
}

export type Ringer = ReturnType<typeof createRinger>;

/**
 * Rings timers on the satellites of this process. It follows the news of timers and satellites, and reads both anew every few seconds, so that
 * a lost message keeps no timer silent, or ringing. A timer that is due rings here even if no news of it comes: Redis may be full or away,
 * and the workers too.
 */
export function createRinger(options: RingerOptions) {
  const { timers, there, ringMs, onAlone, onError } = options;
  const here = createTimersHere({ timers, ringMs, onError });
  const satellites = createKnownSatellites({ there });
  const rings = createRingAssignment({ ...options, here, satellites });
  let newsCount = 0;
  let next: NodeJS.Timeout | undefined;
  let due: NodeJS.Timeout | undefined;

  const showAll = (news: TimerNews): void => {
    for (const satellite of satellites.own()) {
      const event = satellites.isFor(news.timer, satellite) ? timerEvent(news, satellite.place) : null;
      if (event) satellite.tell(event);
    }
  };

  /** Rings now, and again when the next timer is due, whether or not anybody can be told. */
  const tend = (): void => {
    clearTimeout(due);
    if (satellites.isEmpty) return;
    for (const news of here.tend(Date.now())) {
      showAll({ ...news, turn: '' });
      onAlone(news);
    }
    rings.assign();
    const nextAt = here.nextAt();
    // Never a longer wait than this: somebody may set the clock meanwhile.
    if (nextAt !== null)
      due = setTimeout(tend, Math.min(Math.max(0, nextAt - Date.now()), tellConnectedEveryMs));
  };

  const read = async (): Promise<void> => {
    const newsBefore = newsCount;
    // A full Redis takes nothing, but still gives what it has.
    await satellites.announce().catch(onError);
    const connected = await there.all(Date.now());
    const records = await timers.all();
    // News that came meanwhile may be newer than the records.
    if (newsCount !== newsBefore) return read();
    satellites.note(connected);
    here.read(records);
    void here.write();
  };
  const refresh = (): Promise<void> => read().finally(tend);
  const lookAgain = (): void => {
    clearTimeout(next);
    if (!satellites.isEmpty) next = setTimeout(look, tellConnectedEveryMs);
  };
  const look = (): void => void refresh().catch(onError).finally(lookAgain);

  return {
    join(satellite: RingingSatellite): void {
      satellites.put(satellite);
      // A timer that rang here before is not told to a mere connection: nobody may be there.
      const hasNeverRung = ({ heardAt }: Timer) => heardAt === null;
      refresh()
        .then(() => rings.tellMissed(satellite, hasNeverRung))
        .catch(onError)
        .finally(lookAgain);
    },
    /** The satellite has another room or name. */
    move(sessionId: string, place: Place): void {
      const satellite = satellites.get(sessionId);
      if (satellite === undefined) return;
      satellites.put({ ...satellite, place });
      look();
    },
    leave(sessionId: string): void {
      satellites.leave(sessionId).catch(onError);
      if (satellites.isEmpty) for (const timer of [next, due]) clearTimeout(timer);
      rings.leave(sessionId);
    },
    /** Somebody has spoken with the assistant. */
    spokenWith(sessionId: string): void {
      const satellite = satellites.get(sessionId);
      if (satellite) rings.tellMissed(satellite, () => true).catch(onError);
    },
    /** Somebody pressed the stop button of a satellite: everything that rings there is over. */
    stopped(sessionId: string): void {
      const satellite = satellites.get(sessionId);
      if (satellite === undefined) return;
      for (const timer of rings.ringingOn(satellite)) {
        here.silence(timer.id);
        showAll({ change: 'acknowledged', timer, turn: '' });
      }
      rings.assign();
    },
    /** Something has happened to a timer. */
    onNews(news: TimerNews): void {
      const { change, timer } = news;
      newsCount += 1;
      const before = here.get(timer.id)?.state;
      here.onNews(news);
      if (isNewsToSatellites(change, before)) showAll(news);
      // A moment ago a satellite of another process may have come closer to it than any here.
      if (change === 'ringing' && before !== 'ringing' && !satellites.isEmpty) look();
      else tend();
    },
    /** News may have been missed. */
    look,
    /** The timers that run for a place, which a satellite there is told when it connects. */
    running: (place: Place): RunningTimer[] =>
      here
        .all()
        .filter((timer) => timer.state === 'running' && satellites.wouldBeFor(timer, place))
        .map(runningTimer),
  };
}
