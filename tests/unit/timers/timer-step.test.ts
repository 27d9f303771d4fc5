import { describe, expect, test } from 'vitest';
import type { Timer } from '../../../api/src/timers/timer.ts';
import { type HandStep, stepByHand } from '../../../api/src/timers/timer-step.ts';

const now = 1_000_000;

function timer(changes: Partial<Timer>): Timer {
  return {
    ...{ id: 'a', kind: 'timer', label: null, room: null, client: null, setAt: 0, revision: 1 },
    ...{ dueAt: now + 60_000, durationMs: 600_000, state: 'running', ringingAt: null, heardAt: null },
    ...changes,
  };
}

describe('another minute', () => {
  test.each([
    ['runs on', {}, { durationMs: 660_000, dueAt: now + 120_000 }],
    ['rings', { state: 'ringing', dueAt: now - 5_000 }, { dueAt: now + 60_000, by: 'length' }],
    ['is paused', { state: 'paused', leftMs: 30_000 }, { dueAt: now + 90_000, leftMs: 90_000 }],
    ['has no length', { kind: 'alarm', durationMs: null }, { durationMs: null, dueAt: now + 120_000 }],
  ] as const)('for one that %s', (_name, changes, to) => {
    expect(stepByHand(timer(changes), { moreMs: 60_000 }, now)).toMatchObject({ kind: 'timer.change', to });
  });
});

describe('a timer changed by hand', () => {
  test('pauses with its remaining time, and continues with it', () => {
    const paused = stepByHand(timer({}), { paused: true }, now);
    const resumed = stepByHand(timer({ state: 'paused', leftMs: 30_000 }), { paused: false }, now);

    expect(paused).toEqual({ kind: 'timer.pause', to: { leftMs: 60_000 } });
    expect(resumed).toEqual({ kind: 'timer.resume', to: { dueAt: now + 30_000, by: 'length' } });
  });

  test.each<[string, Partial<Timer>, HandStep, string]>([
    ['an alarm does not wait', { kind: 'alarm' }, { paused: true }, 'not_running'],
    ['one that rings does not wait', { state: 'ringing' }, { paused: true }, 'not_running'],
    ['one that runs does not go on', {}, { paused: false }, 'not_paused'],
    ['one that nobody heard gets no minute', { state: 'missed' }, { moreMs: 60_000 }, 'over'],
    [
      'one that repeats stays so',
      { repeats: { rule: 'FREQ=DAILY', timeZone: 'UTC', from: 0, except: [] } },
      { moreMs: 60_000 },
      'repeats',
    ],
  ])('%s', (_name, changes, step, why) => {
    expect(stepByHand(timer(changes), step, now)).toBe(why);
  });
});
