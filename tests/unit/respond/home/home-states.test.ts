import { describe, expect, test } from 'vitest';
import { standingAt, standingOf } from '../../../../api/src/respond/home/home-states.ts';

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
});
