import { describe, expect, test } from 'vitest';
import { mayOpenUp } from '../../../../api/src/respond/home/opens-up.ts';

const classes = new Map([
  ['cover.blinds', 'blind'],
  ['cover.garage', 'garage'],
  ['cover.drive', 'gate'],
  ['cover.side', 'door'],
]);
const classOf = (id: string) => classes.get(id) ?? null;
const opens = (targets: readonly string[], intent = 'HassTurnOn', isOwn = false) =>
  mayOpenUp({ intent, isOwn, targets }, classOf);

describe('a command for', () => {
  test.each([
    'lock.front_door',
    'cover.garage',
    'cover.drive',
    'cover.side',
    'cover.nobody_said_what',
    'valve.main',
    'alarm_control_panel.home',
    'siren.attic',
    'script.come_home',
    'scene.movie_night',
    'button.gate',
    'input_button.gate',
    'automation.night',
    'group.all',
    'constructor.toString',
  ])('%s may open the house', (id) => {
    expect(opens(['light.hall', id])).toBe(true);
  });

  test.each([
    'light.hall',
    'switch.kettle',
    'fan.attic',
    'cover.blinds',
    'climate.hall',
    'media_player.tv',
    'vacuum.robot',
  ])('%s opens nothing', (id) => {
    expect(opens([id])).toBe(false);
  });
});

describe('a command with unknown targets', () => {
  test.each<[string, Parameters<typeof opens>]>([
    ['names no thing', [[]]],
    ['is called by no name', [[], '']],
    ['is made by the household', [['light.hall'], 'HassTurnOn', true]],
  ])('may open the house if it %s', (_why, foreseen) => {
    expect(opens(...foreseen)).toBe(true);
  });

  test.each(['HassMediaPause', 'HassClimateSetTemperature', 'HassLightSet', 'HassSetVolume'])(
    'opens nothing if it fits only one kind: %s',
    (intent) => {
      expect(opens([], intent)).toBe(false);
    },
  );
});
