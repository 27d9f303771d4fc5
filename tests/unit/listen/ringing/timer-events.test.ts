import { describe, expect, test } from 'vitest';
import { isNewsToSatellites, timerEvent } from '../../../../api/src/listen/ringing/timer-events.ts';
import { timer } from '../../../support/timers.ts';

const kitchen = { room: 'kitchen', conversation: 'kitchen-satellite' };
const bath = { room: 'bath', conversation: 'bath-satellite' };

describe('the event for a timer change', () => {
  test.each([
    ['set', 'timer.started'],
    ['changed', 'timer.changed'],
    ['cancelled', 'timer.stopped'],
    ['acknowledged', 'timer.stopped'],
    ['missed', 'timer.stopped'],
  ] as const)('of "%s" is %s', (change, type) => {
    expect(timerEvent({ change, timer: timer(), turn: '' }, kitchen)).toMatchObject({ type, turn_id: null });
  });

  test.each(['ringing', 'heard', 'told'] as const)('does not exist for "%s"', (change) => {
    expect(timerEvent({ change, timer: timer(), turn: '' }, kitchen)).toBeNull();
  });

  test.each([
    { what: 'where it was set, as the satellite knows it', change: 'set', place: kitchen, turn_id: 'a-turn' },
    { what: 'not on another satellite', change: 'set', place: bath, turn_id: null },
    { what: 'not for another change', change: 'changed', place: kitchen, turn_id: null },
  ] as const)('names the turn $what', ({ change, place, turn_id }) => {
    const event = timerEvent({ change, timer: timer(), turn: 'a-turn.2' }, place);

    expect(event).toMatchObject({ turn_id });
  });
});

test.each([
  ['acknowledged', 'ringing', true],
  ['cancelled', 'running', true],
  ['acknowledged', undefined, false],
  ['missed', 'missed', false],
  ['set', undefined, true],
  ['ringing', 'ringing', true],
] as const)('satellites receive "%s" after %s: %s', (change, before, isTold) => {
  expect(isNewsToSatellites(change, before)).toBe(isTold);
});
