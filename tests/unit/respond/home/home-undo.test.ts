import { describe, expect, test } from 'vitest';
import { actionOf, type Seen } from '../../../../api/src/respond/home/home-undo.ts';

const lamp = { id: 'light.counter', name: 'Counter' };
const radio = { id: 'media_player.radio', name: 'Radio' };
const heater = { id: 'climate.heater', name: 'Heater' };

function kitchen(
  stood: readonly (readonly [{ id: string; name: string }, string, string])[],
  intent = 'on',
): Seen {
  return {
    text: 'turn on the kitchen',
    intent,
    ok: true,
    before: Object.fromEntries(stood.map(([{ id }, before]) => [id, before])),
    stands: stood.map(([{ id, name }, , state]) => ({
      entity: { id, name, type: 'entity' },
      state,
      standing: 'there' as const,
      setting: null,
    })),
  };
}
const said = { text: 'turn on the kitchen', isUnsure: false };

describe('a command to a whole room', () => {
  test('can be undone if every device was only switched', () => {
    const seen = kitchen([
      [lamp, 'off', 'on'],
      [radio, 'off', 'playing'],
    ]);

    expect(actionOf(seen)).toEqual({
      ...said,
      kind: 'home.switch',
      changed: [expect.objectContaining(lamp), expect.objectContaining(radio)],
    });
  });

  test('can be undone in part if another device has no way back', () => {
    const seen = kitchen([
      [lamp, 'off', 'on'],
      [heater, 'auto', 'heat'],
    ]);

    expect(actionOf(seen)).toEqual({
      ...said,
      kind: 'home.partly',
      changed: [expect.objectContaining(lamp)],
      left: [expect.objectContaining(heater)],
    });
  });

  test('cannot be undone if no device has a way back', () => {
    expect(actionOf(kitchen([[heater, 'auto', 'heat']]))).toEqual({ ...said, kind: 'home.command' });
  });

  test('cannot be undone after a value was set', () => {
    expect(actionOf(kitchen([[lamp, 'off', 'on']], 'set'))).toEqual({ ...said, kind: 'home.command' });
  });
});
