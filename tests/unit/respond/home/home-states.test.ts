import { describe, expect, test } from 'vitest';
import { standingOf } from '../../../../api/src/respond/home/home-states.ts';

describe('a thing that was commanded', () => {
  test.each([
    // What turns the other way is not on its way.
    ['lock', 'lock.door', 'unlocking', 'not yet'],
    ['unlock', 'lock.door', 'locking', 'not yet'],
    ['open', 'cover.blinds', 'closing', 'not yet'],
    ['close', 'cover.blinds', 'opening', 'not yet'],
    ['open', 'cover.blinds', 'opening', 'on its way'],
    ['on', 'cover.blinds', 'opening', 'on its way'],
    ['off', 'cover.blinds', 'closing', 'on its way'],
    // A lock may still jam.
    ['lock', 'lock.door', 'locking', 'not yet'],
    ['lock', 'lock.door', 'jammed', 'not yet'],
    ['lock', 'lock.door', 'locked', 'there'],
    ['unlock', 'lock.door', 'unlocked', 'there'],
    // Whoever wants it on does not mean that it waits to be.
    ['on', 'media_player.tv', 'standby', 'not yet'],
    ['on', 'media_player.tv', 'idle', 'there'],
    ['off', 'media_player.tv', 'standby', 'there'],
    ['start', 'vacuum.robot', 'docked', 'not yet'],
    ['on', 'vacuum.robot', 'error', 'not yet'],
    ['start', 'vacuum.robot', 'cleaning', 'there'],
    ['stop', 'vacuum.robot', 'cleaning', 'not yet'],
    ['stop', 'vacuum.robot', 'returning', 'there'],
    ['off', 'vacuum.robot', 'docked', 'there'],
    ['start', 'lawn_mower.robot', 'docked', 'not yet'],
    ['on', 'scene.movie', 'unknown', 'there'],
    ['on', 'light.lamp', 'unavailable', 'silent'],
    // Names of what every object has.
    ['close', 'cover.gate', 'constructor', 'not yet'],
    ['start', 'constructor.robot', 'on', 'there'],
  ])('%s of %s that is %s: %s', (intent, id, state, standing) => {
    expect(standingOf(intent, { id, state })).toBe(standing);
  });

  test.each([
    ['off', 'off', 'not yet'],
    ['off', 'on', 'there'],
    // "Set it to zero."
    ['on', 'off', 'there'],
    [undefined, 'off', 'there'],
  ])('a lamp that was %s, is set to something and is %s: %s', (before, state, standing) => {
    expect(standingOf('set', { id: 'light.lamp', state, before })).toBe(standing);
  });
});
