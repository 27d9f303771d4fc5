import { describe, expect, test } from 'vitest';
import { isIntended } from '../../../../../api/src/respond/home/understand/intended.ts';

const reading = (intent: string, targets: readonly string[], slots: readonly string[] = ['area']) => ({
  ...{ intent, targets, slots, numbers: {}, isOwn: false, onlyReads: false },
});
const said = (intent: string, kinds: readonly ('light' | 'lock' | 'cover' | 'climate' | 'power')[] = []) => ({
  ...{ intent, kinds, isEverywhere: false },
});

describe("Home Assistant's reading of a command", () => {
  test.each([
    ['lights turned on', reading('HassTurnOn', ['light.a', 'light.b']), said('on', ['light'])],
    ['a thing by its name', reading('HassTurnOn', ['switch.heater'], ['name']), said('on', ['climate'])],
    ['a door locked', reading('HassTurnOn', ['lock.front'], ['name']), said('lock', ['lock'])],
    ['blinds closed', reading('HassTurnOff', ['cover.blinds']), said('close', ['cover'])],
    // Of the things in the room, this intent changes only the thermostat.
    [
      'a room heated',
      reading('HassClimateSetTemperature', ['light.a', 'climate.a']),
      said('set', ['climate']),
    ],
    ['all of the house', reading('HassTurnOff', ['light.a'], []), { ...said('off'), isEverywhere: true }],
  ])('matches the command: %s', (_what, read, command) => {
    expect(isIntended(read, command)).toBe(true);
  });

  test.each([
    ['nothing', null, said('on')],
    ['the volume', reading('HassSetVolumeRelative', ['media_player.tv']), said('set', ['light'])],
    ['a door that is turned off, which is to unlock it', reading('HassTurnOff', ['lock.front']), said('off')],
    ['blinds that are turned on', reading('HassTurnOn', ['cover.blinds', 'light.a']), said('on')],
    ['a door opened that was to be locked', reading('HassTurnOff', ['lock.front']), said('lock', ['lock'])],
    ['another kind', reading('HassTurnOn', ['light.a', 'switch.a']), said('on', ['light'])],
    ['the whole house', reading('HassTurnOff', ['light.a'], ['domain']), said('off', ['light'])],
    ['nothing in the room', reading('HassTurnOn', []), said('on', ['light'])],
    [
      'no thermostat',
      reading('HassClimateSetTemperature', ['light.a', 'sensor.a']),
      said('set', ['climate']),
    ],
    ['what every object has', reading('constructor', ['light.a']), said('on')],
    ['some intent of its own', reading('HassShoppingListAddItem', ['light.a'], ['name']), said('on')],
  ])('does not match the command if it is %s', (_what, read, command) => {
    expect(isIntended(read, command)).toBe(false);
  });
});
