import { describe, expect, test } from 'vitest';
import { afterHoldEvent, type Hold, type HoldEvent, isSent } from '../../../console/src/live/hold.ts';

const holdAfter = (...events: HoldEvent[]) =>
  events.reduce<Hold>((hold, event) => afterHoldEvent(hold, event, 'hold'), 'up');

describe('the "hold to talk" button', () => {
  test('keeps listening briefly after its release', () => {
    expect([
      holdAfter('pressed'),
      holdAfter('pressed', 'released'),
      holdAfter('pressed', 'released', 'trailed'),
    ]).toEqual(['held', 'trailing', 'up']);
  });

  test('starts again when pressed within that time, and the old timeout ends nothing', () => {
    expect(holdAfter('pressed', 'released', 'pressed')).toBe('held');
    expect(holdAfter('pressed', 'released', 'pressed', 'trailed')).toBe('held');
  });

  test.each(['refused', 'lost'] as const)('is released without an end when it is %s', (event) => {
    expect(holdAfter('pressed', event)).toBe('up');
    expect(holdAfter('pressed', event, 'released')).toBe('up');
  });

  test.each(['refused', 'lost'] as const)('keeps the speech when it is %s after the release', (event) => {
    expect(holdAfter('pressed', 'released', event)).toBe('trailing');
  });

  test('is not needed for the utterance after the permission, until a press or the end of it', () => {
    expect(holdAfter('pressed', 'released', 'trailed', 'allowed')).toBe('free');
    expect(holdAfter('pressed', 'released', 'allowed', 'trailed')).toBe('free');
    expect(holdAfter('pressed', 'allowed')).toBe('held');
    expect(holdAfter('pressed', 'released', 'allowed', 'pressed')).toBe('held');
    expect(holdAfter('pressed', 'released', 'allowed', 'heard')).toBe('up');
    expect(holdAfter('pressed', 'released', 'allowed', 'lost')).toBe('up');
  });

  test('cannot be pressed while the microphone is open', () => {
    expect([afterHoldEvent('up', 'pressed', 'free'), afterHoldEvent('up', 'pressed', 'name')]).toEqual([
      'up',
      'up',
    ]);
  });

  test.each(['released', 'trailed', 'refused', 'lost'] as const)('stays up when it is %s', (event) => {
    expect(holdAfter(event)).toBe('up');
  });
});

describe('the microphone sends its sound', () => {
  const open = { kind: 'open' } as const;

  test.each([
    { live: open, mode: 'free', hold: 'up', goes: true },
    { live: open, mode: 'name', hold: 'up', goes: true },
    { live: open, mode: 'hold', hold: 'up', goes: false },
    { live: open, mode: 'hold', hold: 'held', goes: true },
    { live: open, mode: 'hold', hold: 'trailing', goes: true },
    { live: open, mode: 'hold', hold: 'free', goes: true },
    { live: { kind: 'connecting' }, mode: 'free', hold: 'up', goes: false },
    { live: { kind: 'closed' }, mode: 'hold', hold: 'held', goes: false },
  ] as const)('$live.kind, $mode, $hold: $goes', ({ goes, ...situation }) => {
    expect(isSent(situation)).toBe(goes);
  });
});
