import { describe, expect, test } from 'vitest';
import {
  changedTime,
  idByAge,
  newTimer,
  stepIn,
} from '../../../../../api/src/respond/skills/timers/timer-plan.ts';

const minuteMs = 60_000;
const now = 1_000 * minuteMs;
const inMinutes = (minutes: number) => now + minutes * minuteMs;

describe('the time of a changed timer', () => {
  const running = { dueAt: now + 3 * minuteMs, durationMs: 10 * minuteMs, state: 'running' } as const;
  const ringing = { ...running, dueAt: now - minuteMs, state: 'ringing' } as const;
  const alarm = { ...running, durationMs: null };

  test.each([
    ['is later by what is added', running, 'more', 2, { dueAt: inMinutes(5), durationMs: 12 * minuteMs }],
    [
      'is sooner by what is taken off',
      running,
      'more',
      -2,
      { dueAt: inMinutes(1), durationMs: 8 * minuteMs },
    ],
    [
      'counts from now where it rings',
      ringing,
      'more',
      2,
      { dueAt: inMinutes(2), durationMs: 12 * minuteMs, by: 'length' },
    ],
    [
      'is the new length from now',
      running,
      'to',
      7,
      { dueAt: inMinutes(7), durationMs: 7 * minuteMs, by: 'length' },
    ],
    ['is its whole length again', running, 'restart', 0, { dueAt: inMinutes(10), by: 'length' }],
    ['has no length where it had none', alarm, 'more', 2, { dueAt: inMinutes(5), durationMs: null }],
  ] as const)('%s', (_title, timer, how, minutes, expected) => {
    expect(changedTime(timer, { how, ms: minutes * minuteMs }, now)).toEqual(expected);
  });

  test('is the spoken moment', () => {
    expect(changedTime(running, { how: 'at', ms: now + minuteMs }, now)).toEqual({
      dueAt: now + minuteMs,
      by: 'clock',
    });
  });
});

describe('a new timer', () => {
  const wanted = { kind: 'timer', label: 'pasta', dueAt: now, durationMs: minuteMs, by: 'length' } as const;
  const turn = { room: 'hall', conversation: 'anna', createdAt: now - minuteMs };
  const isRoom = (name: string) => name === 'kitchen';

  test.each([
    ['rings where it was asked for', 'pasta', { label: 'pasta', room: 'hall' }],
    ['of the name of a room is the one there', 'kitchen', { label: null, room: 'kitchen' }],
    ['without a name has none', null, { label: null, room: 'hall' }],
  ])('%s', (_title, label, expected) => {
    const timer = newTimer({ ...wanted, label }, { turn, isRoom });

    expect(timer).toEqual({ ...wanted, client: 'anna', setAt: turn.createdAt, ...expected });
  });
});

describe('the state of a timer', () => {
  const nothing = { more: null, less: null, newLength: null };
  const five = { ms: 5 * minuteMs, days: null, isMore: false };

  test.each([
    ['more', { ...nothing, more: five }, { how: 'more', ms: 5 * minuteMs }],
    ['less', { ...nothing, less: five }, { how: 'more', ms: -5 * minuteMs }],
    ['another length', { ...nothing, newLength: five }, { how: 'to', ms: 5 * minuteMs }],
    ['nothing that is a length', nothing, null],
  ])('is spoken as %s', (_title, said, expected) => {
    expect(stepIn(said)).toEqual(expected);
  });
});

test('the oldest of several timers is the one that was set first', () => {
  const all = [
    { id: 'pasta', setAt: now },
    { id: 'egg', setAt: now - minuteMs },
    { id: 'tea', setAt: now - 2 * minuteMs },
  ];

  expect([idByAge(all, 0), idByAge(all, -1), idByAge([], 0)]).toEqual(['tea', 'pasta', undefined]);
});
