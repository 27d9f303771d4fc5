import { type HouseholdClock, machineClock } from '../../redis/household-clock.ts';
import type { SatellitesThere } from '../../timers/satellites-there.ts';
import type { Place, Timer } from '../../timers/timer.ts';
import type { TimerNews } from '../../timers/timer-news.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import { createTimersHere } from '../../timers/timers-here.ts';
import type { RunningTimer } from '../events/listen-events.ts';
import { createKnownSatellites, type RingingSatellite } from './known-satellites.ts';
import { createRingAssignment } from './ring-assignment.ts';
import { isNewsToSatellites, runningTimer, timerEvent } from './timer-events.ts';
import { createTimerWatch } from './timer-watch.ts';

interface RingerOptions {
  timers: Pick<TimerStore, 'all' | 'ring' | 'noteHeard' | 'miss' | 'silence' | 'claim' | 'forget'>;
  there: Pick<SatellitesThere, 'all' | 'tell' | 'leave'>;
  /** The text for a ringing or missed timer at a given time, in a language. */
  wordsFor: (timer: Timer, now: number, language: string | undefined) => string;
  /** During quiet hours a timer rings only where it was set. */
  isQuiet: () => boolean;
  /** How long a timer rings. */
  ringMs: () => number;
  /** Called when a timer rings or is missed before a worker has reported it. */
  onAlone: (news: Pick<TimerNews, 'change' | 'timer'>) => void;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

export type Ringer = ReturnType<typeof createRinger>;

/** Rings timers on the satellites of this process, and sends them timer events. */
export function createRinger(options: RingerOptions) {
  const { timers, there, wordsFor, isQuiet, ringMs, onAlone, onError, clock = machineClock } = options;
  const here = createTimersHere({ timers, ringMs, onError, clock });
  const satellites = createKnownSatellites({ there, clock });
  const rings = createRingAssignment({ timers, here, satellites, wordsFor, isQuiet, onError, clock });

  const showAll = (news: TimerNews): void => {
    for (const satellite of satellites.own()) {
      const event = satellites.isFor(news.timer, satellite) ? timerEvent(news, satellite.place, clock) : null;
      if (event) satellite.tell(event);
    }
  };
  const watch = createTimerWatch({
    timers,
    there,
    here,
    satellites,
    assign: rings.assign,
    onChange: (news) => {
      showAll({ ...news, turn: '' });
      onAlone(news);
    },
    onGone: (timer) => {
      if (isNewsToSatellites('cancelled', timer.state)) showAll({ change: 'cancelled', timer, turn: '' });
    },
    onError,
    clock,
  });

  return {
    join(satellite: RingingSatellite): void {
      satellites.put(satellite);
      // Skip timers that already rang here: a new connection does not mean that someone is there.
      // A program often connects without a person, so it reports them after the first answer.
      const hasNeverRung = ({ heardAt }: Timer) => heardAt === null && !satellite.isProgram;
      watch.readAll(() => rings.tellMissed(satellite, hasNeverRung));
    },
    /** The satellite has a new room or name. */
    move(sessionId: string, place: RingingSatellite['place']): void {
      const satellite = satellites.get(sessionId);
      if (satellite === undefined) return;
      satellites.put({ ...satellite, place });
      watch.readAll();
    },
    leave(sessionId: string): void {
      satellites.leave(sessionId).catch(onError);
      if (satellites.isEmpty) watch.pause();
      rings.leave(sessionId);
    },
    /** Someone has spoken with the assistant. */
    spokenWith(sessionId: string): void {
      const satellite = satellites.get(sessionId);
      if (satellite) rings.tellMissed(satellite, () => true).catch(onError);
    },
    /** The stop button of a satellite was pressed: stops every timer that rings there, or only one. */
    stopped(sessionId: string, timerId?: string): void {
      const satellite = satellites.get(sessionId);
      if (satellite === undefined) return;
      for (const timer of rings.ringingOn(satellite)) {
        if (timerId !== undefined && timer.id !== timerId) continue;
        here.silence(timer.id);
        showAll({ change: 'acknowledged', timer, turn: '' });
      }
      rings.assign();
    },
    /** A timer has changed. */
    onNews(news: TimerNews): void {
      const { change, timer } = news;
      const before = here.get(timer.id)?.state;
      watch.note(news);
      if (isNewsToSatellites(change, before)) showAll(news);
      // A satellite of another process may have just connected closer to the timer, so read the satellites
      // again.
      if (change === 'ringing' && before !== 'ringing' && !satellites.isEmpty) watch.readAll();
      else watch.tend();
    },
    /** Called when messages may have been lost. */
    look: (): void => watch.readAll(),
    /** The running and paused timers for a place, for `session.created`. */
    running: (place: Place): RunningTimer[] =>
      here
        .all()
        .filter(({ state, kind }) => (state === 'running' || state === 'paused') && kind !== 'command')
        .filter((timer) => satellites.wouldBeFor(timer, place))
        .map((timer) => runningTimer(timer, clock)),
  };
}
