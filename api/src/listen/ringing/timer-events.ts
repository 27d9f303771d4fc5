import { machineClock } from '../../redis/household-clock.ts';
import { spokenTurnOf } from '../../speakers/speaker.ts';
import { type Place, remainingMs, type Timer } from '../../timers/timer.ts';
import type { TimerNews } from '../../timers/timer-news.ts';
import { byClockNow, nowOf } from '../../timers/timer-time.ts';
import type { RunningTimer, ServerEvent } from '../events/listen-events.ts';

type Change = TimerNews['change'];

/** Changes that are sent to satellites. `timer.finished` is sent where the timer rings. */
const events: Partial<Record<Change, 'timer.started' | 'timer.changed' | 'timer.stopped'>> = {
  set: 'timer.started',
  changed: 'timer.changed',
  cancelled: 'timer.stopped',
  acknowledged: 'timer.stopped',
  missed: 'timer.stopped',
};

/** The event for a change, or null. It names the turn only for the conversation that set the timer. */
export function timerEvent(
  { change, timer, turn }: TimerNews,
  { conversation }: Place,
  clock = machineClock,
): ServerEvent | null {
  const type = events[change];
  // A scheduled command is invisible to satellites. If it fails, it rings as a reminder.
  if (type === undefined || timer.kind === 'command') return null;
  if (type !== 'timer.started') return { type, turn_id: null, timer: runningTimer(timer, clock) };
  const isOwn = turn !== '' && timer.client === conversation;
  return { type, turn_id: isOwn ? spokenTurnOf(turn) : null, timer: runningTimer(timer, clock) };
}

/**
 * Whether satellites still need an event for a change. `before`: the timer's state in this process. If the
 * timer was stopped or missed here, they already have the event.
 */
export function isNewsToSatellites(change: Change, before: Timer['state'] | undefined): boolean {
  return (
    events[change] !== 'timer.stopped' || before === 'running' || before === 'paused' || before === 'ringing'
  );
}

/** Converts a timer for satellites. */
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
    ...(timer.repeats !== undefined && { repeats: timer.repeats.rule }),
  };
}
