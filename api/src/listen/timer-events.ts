import { machineClock } from '../redis/household-clock.ts';
import { type Place, remainingMs, type Timer } from '../timers/timer.ts';
import type { TimerNews } from '../timers/timer-news.ts';
import { byClockNow, nowOf } from '../timers/timer-time.ts';
import type { RunningTimer, ServerEvent } from './listen-events.ts';

type Change = TimerNews['change'];

/** The changes that satellites hear of at once. They are told that a timer has finished when it rings there. */
const events: Partial<Record<Change, 'timer.started' | 'timer.changed' | 'timer.stopped'>> = {
  set: 'timer.started',
  changed: 'timer.changed',
  cancelled: 'timer.stopped',
  acknowledged: 'timer.stopped',
  missed: 'timer.stopped',
};

/** The event that tells a satellite of a change; null: there is none. Only where the timer was set does it name the turn. */
export function timerEvent(
  { change, timer, turn }: TimerNews,
  { conversation }: Place,
  clock = machineClock,
): ServerEvent | null {
  const type = events[change];
  // A command rings as a reminder if it fails, and before that only the house has to do with it.
  if (type === undefined || timer.kind === 'command') return null;
  if (type !== 'timer.started') return { type, turn_id: null, timer: runningTimer(timer, clock) };
  const isOwn = turn !== '' && timer.client === conversation;
  return { type, turn_id: isOwn ? spokenTurn(turn) : null, timer: runningTimer(timer, clock) };
}

/**
 * Whether satellites still have to be told of a change, when the timer was in the state `before` here. They know already of a timer that was
 * stopped or missed in this process.
 */
export function isNewsToSatellites(change: Change, before: Timer['state'] | undefined): boolean {
  return (
    events[change] !== 'timer.stopped' || before === 'running' || before === 'paused' || before === 'ringing'
  );
}

/** A timer as satellites see it. */
export function runningTimer(timer: Timer, clock = machineClock): RunningTimer {
  const { id, kind, label, setAt, dueAt, durationMs } = byClockNow(timer, clock);
  return {
    id,
    kind: kind === 'command' ? 'reminder' : kind,
    name: label,
    duration_ms: Math.round(durationMs ?? Math.max(0, dueAt - setAt)),
    remaining_ms: Math.round(remainingMs(timer, nowOf(timer, clock))),
    ends_at: new Date(Math.round(dueAt)).toISOString(),
    ...(timer.state === 'paused' && { paused: true as const }),
  };
}

/** The turn as the satellite knows it: each attempt at an utterance is a turn of its own, and each of several requests in it has an id of its own. */
function spokenTurn(turn: string): string {
  return turn.split(/[./]/)[0] ?? turn;
}
