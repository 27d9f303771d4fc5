import { type HouseholdClock, machineClock } from '../../redis/household-clock.ts';
import { ringsInQuiet, type Timer } from '../../timers/timer.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import { nowOf } from '../../timers/timer-time.ts';
import type { TimersHere } from '../../timers/timers-here.ts';
import type { KnownSatellites, RingingSatellite } from './known-satellites.ts';
import type { Ring } from './ringing.ts';
import { runningTimer } from './timer-events.ts';

interface RingAssignmentOptions {
  timers: Pick<TimerStore, 'claim' | 'forget'>;
  here: Pick<TimersHere, 'all' | 'noteHeard'>;
  satellites: Pick<KnownSatellites, 'own' | 'isFor'>;
  /** The text for a ringing or missed timer at a given time, in a language. */
  wordsFor: (timer: Timer, now: number, language: string | undefined) => string;
  /** During quiet hours a timer rings only where it was set. */
  isQuiet: () => boolean;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

/** Decides which timers ring, and which missed timers are reported, on which satellites of this process. */
export function createRingAssignment(options: RingAssignmentOptions) {
  const { timers, here, satellites, wordsFor, isQuiet, onError, clock = machineClock } = options;
  /** Missed timers that are being reported, with the session of the reporting satellite. */
  const telling = new Map<string, string>();

  const mayRingOn = (timer: Timer, satellite: RingingSatellite): boolean =>
    satellites.isFor(timer, satellite) && (!isQuiet() || ringsInQuiet(timer, satellite.place));

  const timersOn = (satellite: RingingSatellite): Timer[] =>
    here
      .all()
      .filter(({ id, state }) => state === 'ringing' || telling.get(id) === satellite.sessionId)
      .filter(
        (timer) => timer.state !== 'running' && timer.state !== 'paused' && mayRingOn(timer, satellite),
      );

  const ringOf = (timer: Timer): Ring => ({
    id: timer.id,
    words: (language) => wordsFor(timer, nowOf(timer, clock), language),
    isRinging: timer.state === 'ringing',
    timer: runningTimer(timer, clock),
    onRing: () => here.noteHeard(timer.id),
    onTold: () => {
      telling.delete(timer.id);
      if (timer.state === 'missed') timers.forget(timer).catch(onError);
    },
  });

  const assign = (): void => {
    for (const satellite of satellites.own()) satellite.ring(timersOn(satellite).map(ringOf));
  };

  return {
    /** Updates what every satellite rings. */
    assign,
    ringingOn: (satellite: RingingSatellite): Timer[] =>
      timersOn(satellite).filter(({ state }) => state === 'ringing'),
    /**
     * Someone is near a satellite: reports the missed timers there, unless another satellite reports them.
     */
    async tellMissed(satellite: RingingSatellite, isDue: (timer: Timer) => boolean): Promise<void> {
      for (const timer of here.all()) {
        if (timer.state !== 'missed' || !isDue(timer) || !mayRingOn(timer, satellite)) continue;
        if (await timers.claim(timer)) telling.set(timer.id, satellite.sessionId);
      }
      if (telling.size > 0) assign();
    },
    /** A satellite has disconnected and reports nothing more. */
    leave(sessionId: string): void {
      for (const [id, teller] of telling) if (teller === sessionId) telling.delete(id);
    },
  };
}
