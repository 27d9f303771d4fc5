import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../../api/src/respond/core/skill-language.ts';
import { homeShape } from '../../../../../api/src/respond/home/understand/home-shape.ts';
import { createPassing } from '../../../../../api/src/respond/home/understand/passing.ts';

const language = loadLanguage({ folder: new URL('../../../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'home', homeShape);
const passing = createPassing(words, createGrammar(language.grammar).readWords);
passing.learn({
  areas: ['Snug'],
  things: [
    { id: 'light.moonbeam', name: 'Moonbeam' },
    { id: 'media_player.tv', name: 'TV' },
  ],
});

const reading = (intent: string, targets: readonly string[], slots: readonly string[] = ['area']) => ({
  ...{ intent, targets, slots, numbers: {}, isOwn: false, onlyReads: false },
});

describe('the question to Home Assistant', () => {
  test.each(['make the snug blue', 'moonbeam at half', 'the kitchen to 30 percent', 'mow the lawn'])(
    'covers sentences for the house: %s',
    (text) => {
      expect(passing.mayConcern(text)).toBe(true);
    },
  );

  test.each(['what is the capital of France', 'tell me a joke', 'who wrote Hamlet', ''])(
    'covers no other sentences: %j',
    (text) => {
      expect(passing.mayConcern(text)).toBe(false);
    },
  );
});

describe('a command that Home Assistant reads', () => {
  const commandOf = (
    text: string,
    slots: readonly string[],
    numbers: Readonly<Record<string, number>> = {},
  ) => {
    const read = { ...reading('HassLightSet', ['light.moonbeam'], slots), numbers };
    return passing.commandOf(text, { text, device: null, reading: read });
  };

  test.each([
    [{ brightness: 100 }, 100],
    [{ brightness: 30 }, 30],
    [{ temperature: 2700 }, null],
    [{}, null],
  ])('tells the number that is to be read back: %j', (numbers, setTo) => {
    const text = 'Set the brightness of Moonbeam to the max';
    expect(commandOf(text, ['name', 'brightness'], numbers)).toMatchObject({ setTo });
  });

  test.each([['color'], ['temperature']])('sets a colour: %s', (slot) => {
    expect(commandOf('Set Moonbeam to warm white light', ['name', slot])).toMatchObject({ intent: 'color' });
  });
});

describe('a sentence by itself', () => {
  test.each([
    'make the bedroom lights light blue',
    'raise the light of the lamp',
    'vacuum the snug',
    'kitchen lights on',
    'mute the tv',
  ])('is a command: %s', (text) => {
    expect(passing.isCommand(text)).toBe(true);
  });

  test.each([
    ['a question', 'are the kitchen lights on'],
    ['a story', 'write a song about an open road in the kitchen'],
    ['nothing that is there', 'open a bank account'],
    ['a thing and no deed', 'the kitchen lights'],
    ['a timer', 'set a timer for the lights'],
    ['nothing', ''],
  ])('is not a command if it is %s: %j', (_what, text) => {
    expect(passing.isCommand(text)).toBe(false);
  });
});

describe("a sentence with Home Assistant's reading", () => {
  test.each([
    ['make the snug blue', 'set', reading('HassLightSet', ['light.moonbeam', 'media_player.tv'])],
    ['light up the snug', 'on', reading('HassTurnOn', ['light.moonbeam'])],
    ['volume up in the snug', 'set', reading('HassSetVolumeRelative', ['media_player.tv'])],
    ['vacuum the snug', 'clean', reading('HassVacuumCleanArea', ['vacuum.robo', 'light.moonbeam'])],
  ])('is a command if it names its effect: %s', (text, intent, read) => {
    expect(passing.commandOf(text, { text, device: null, reading: read })).toMatchObject({
      intent,
      passed: { text },
    });
  });

  test.each([
    ['a name and no more', 'Moonbeam', reading('HassTurnOn', ['light.moonbeam'], ['name'])],
    [
      'the volume of lights',
      'turn up the volume of the lights',
      reading('HassSetVolume', ['media_player.tv']),
    ],
    [
      'lights that are turned up',
      'turn up the lights',
      reading('HassSetVolumeRelative', ['media_player.tv']),
    ],
    ['a number for anything', 'set the snug to 21', reading('HassLightSet', ['light.moonbeam'])],
    ['a question', 'is the snug blue', reading('HassLightSet', ['light.moonbeam'])],
    ['a thing that must not be', 'do not make the snug blue', reading('HassLightSet', ['light.moonbeam'])],
    ['nothing that we know', 'broadcast dinner in the snug', reading('HassBroadcast', [])],
    ['everything', 'lights off', reading('HassTurnOff', ['light.moonbeam'], ['domain'])],
  ])('is not a command if it is %s', (_what, text, read) => {
    expect(passing.commandOf(text, { text, device: null, reading: read })).toBeNull();
  });
});
