import { remainingMs, type Timer, timerLimits } from './timer.ts';
import type { TimerAction } from './timer-action.ts';
import type { NewTime } from './timer-records.ts';

/** A change by hand, without a turn. */
export type HandStep = { paused: boolean } | { moreMs: number };

interface Step {
  kind: TimerAction['kind'];
  to: NewTime;
}

/** Why a change by hand is rejected. */
export type StepFault = 'repeats' | 'over' | 'not_running' | 'not_paused';

/** Computes a change by hand, or why it is rejected. `now` is on the timer's clock. */
export function stepByHand(timer: Timer, step: HandStep, now: number): Step | StepFault {
  if (timer.repeats !== undefined) return 'repeats';
  if ('moreMs' in step) return longer(timer, step.moreMs, now);
  return step.paused ? held(timer, now) : goingOn(timer, now);
}

function longer(
  { state, dueAt, durationMs, leftMs: left }: Timer,
  ms: number,
  now: number,
): Step | StepFault {
  const length = { durationMs: durationMs === null ? null : durationMs + ms };
  const kind = 'timer.change';
  if (state === 'running') return { kind, to: { ...length, dueAt: dueAt + ms } };
  if (state === 'ringing') return { kind, to: { ...length, dueAt: now + ms, by: 'length' } };
  if (left === undefined) return 'over';
  return { kind, to: { ...length, dueAt: now + left + ms, leftMs: left + ms } };
}

function held(timer: Timer, now: number): Step | StepFault {
  if (timer.kind !== 'timer' || timer.state !== 'running') return 'not_running';
  return { kind: 'timer.pause', to: { leftMs: Math.max(timerLimits.leastMs, remainingMs(timer, now)) } };
}

function goingOn(timer: Timer, now: number): Step | StepFault {
  if (timer.state !== 'paused') return 'not_paused';
  return { kind: 'timer.resume', to: { dueAt: now + remainingMs(timer, now), by: 'length' } };
}
