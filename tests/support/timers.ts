import type { Timer } from '../../api/src/timers/timer.ts';

export const now = Date.parse('2026-11-21T18:00:00Z');
export const minuteMs = 60_000;

/** A pasta timer of ten minutes, set in the kitchen, that is due now. */
export function timer(more: Partial<Timer> = {}): Timer {
  return {
    id: 'c1a0b7d2-3f64-4f0b-9a57-5d2e8f6b1c33',
    kind: 'timer',
    label: 'pasta',
    room: 'kitchen',
    client: 'kitchen-satellite',
    setAt: now - 10 * minuteMs,
    dueAt: now,
    durationMs: 10 * minuteMs,
    state: 'running',
    revision: 1,
    ringingAt: null,
    heardAt: null,
    ...more,
  };
}
