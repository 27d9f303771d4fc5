import { describe, expect, test } from 'vitest';
import { awaitStates, standingAt, standingOf } from '../../../../api/src/respond/home/home-states.ts';

describe('a commanded thing', () => {
  test.each([
    // A thing that moves in the other direction is not on its way.
    ['lock', 'lock.door', 'unlocking', 'not_yet'],
    ['unlock', 'lock.door', 'locking', 'not_yet'],
    ['open', 'cover.blinds', 'closing', 'not_yet'],
    ['close', 'cover.blinds', 'opening', 'not_yet'],
    ['open', 'cover.blinds', 'opening', 'on_its_way'],
    ['on', 'cover.blinds', 'opening', 'on_its_way'],
    ['off', 'cover.blinds', 'closing', 'on_its_way'],
    // A lock may still jam.
    ['lock', 'lock.door', 'locking', 'not_yet'],
    ['lock', 'lock.door', 'jammed', 'not_yet'],
    ['lock', 'lock.door', 'locked', 'there'],
    ['unlock', 'lock.door', 'unlocked', 'there'],
    // A person who wants it on does not mean standby.
    ['on', 'media_player.tv', 'standby', 'not_yet'],
    ['on', 'media_player.tv', 'idle', 'there'],
    ['off', 'media_player.tv', 'standby', 'there'],
    ['off', 'media_player.tv', 'paused', 'there'],
    ['off', 'media_player.tv', 'playing', 'not_yet'],
    ['start', 'vacuum.robot', 'docked', 'not_yet'],
    ['on', 'vacuum.robot', 'error', 'not_yet'],
    ['start', 'vacuum.robot', 'cleaning', 'there'],
    ['stop', 'vacuum.robot', 'cleaning', 'not_yet'],
    ['stop', 'vacuum.robot', 'returning', 'there'],
    ['off', 'vacuum.robot', 'docked', 'there'],
    ['start', 'lawn_mower.robot', 'docked', 'not_yet'],
    ['on', 'scene.movie', 'unknown', 'there'],
    ['on', 'light.lamp', 'unavailable', 'silent'],
    // Names of properties that every object has.
    ['close', 'cover.gate', 'constructor', 'not_yet'],
    ['start', 'constructor.robot', 'on', 'there'],
  ])('%s of %s that is %s: %s', (intent, id, state, standing) => {
    expect(standingOf(intent, { id, state })).toBe(standing);
  });

  test.each([
    ['off', 'off', 'not_yet'],
    ['off', 'on', 'there'],
    // "Set it to zero."
    ['on', 'off', 'there'],
    [undefined, 'off', 'there'],
  ])('a lamp that was %s, is set to something and is %s: %s', (before, state, standing) => {
    expect(standingOf('set', { id: 'light.lamp', state, before })).toBe(standing);
  });

  const percent = (value: number) => ({ unit: 'percent', value }) as const;
  test.each([
    // A light has 255 steps.
    [80, 'on', percent(79), 'there'],
    [80, 'on', percent(30), 'not_yet'],
    [80, 'on', null, 'unsure'],
    [50, 'on', { ...percent(67), step: 33.3 }, 'there'],
    [0, 'off', null, 'there'],
    [30, 'closing', percent(80), 'on_its_way'],
    [20.3, 'heat', { unit: 'degrees', value: 20.5 } as const, 'not_yet'],
  ])('set to %d, that is %s and reports %j: %s', (value, state, setting, standing) => {
    expect(standingAt(value, { state, setting })).toBe(standing);
  });

  test('a light is awaited until it has the color temperature, in the steps of the light', async () => {
    const whites = [3000, 2710];
    const [stand] = await awaitStates(
      {
        state: async () => 'on',
        states: async () => ({}),
        changed: async () => undefined,
        setting: async () => null,
        volume: async () => null,
        mayShowColor: async () => true,
        colorTemperature: async () => ({ now: whites.shift() ?? null, isOn: true, low: 2200, high: 6500 }),
      },
      {
        intent: 'warmer_light',
        entities: [{ id: 'light.lamp', name: 'Lamp' }],
        values: new Map([['light.lamp', 2700]]),
        signal: AbortSignal.timeout(5_000),
      },
    );

    expect(stand?.standing).toBe('there');
    expect(whites).toEqual([]);
  });
});
