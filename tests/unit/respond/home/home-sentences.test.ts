import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createHomeGrammar } from '../../../../api/src/respond/home/understand/home-grammar.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createWishGrammar } from '../../../../api/src/respond/home/understand/home-wishes.ts';
import { homeIntents } from '../../../../api/src/respond/home/understand/understood.ts';
import { household, remarks } from '../../../support/skills.ts';
import { timerSentences } from '../../../support/timer-sentences.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { sentencesOf, words } = loadSkill(language.files, 'home', homeShape);
const sentences = sentencesOf(homeIntents);
const grammar = createHomeGrammar({ grammar: createWishGrammar(language, words), sentences, words });
grammar.learn({
  areas: ['Kitchen', 'Bedroom', 'Living Room', 'Garage', 'Garden', 'Upstairs'],
  things: [
    { id: 'light.kitchen_ceiling', name: 'Kitchen ceiling' },
    { id: 'light.bedside_lamp', name: 'Bedside lamp' },
    { id: 'light.floor_lamp', name: 'Floor lamp' },
    { id: 'light.annas_lamp', name: 'Anna’s lamp' },
    { id: 'lock.front_door', name: 'Front door' },
    { id: 'switch.coffee_machine', name: 'Coffee machine' },
    { id: 'cover.living_room_blinds', name: 'Living room blinds' },
    { id: 'climate.thermostat', name: 'Thermostat' },
    { id: 'scene.movie_night', name: 'Movie night' },
    { id: 'vacuum.hoover_dam', name: 'Hoover Dam' },
    { id: 'media_player.kitchen_speaker', name: 'Kitchen speaker' },
  ],
});

const groups = z.record(z.string(), z.array(z.string()));
const read = (file: string) =>
  groups.parse(load(readFileSync(new URL(`../../../sentences/${file}`, import.meta.url), 'utf8')));
const commands = Object.entries(read('home-commands.yaml')).flatMap(([intent, lines]) =>
  lines.map((text) => ({ intent, text })),
);
const none = Object.values(read('home-remarks.yaml')).flat();
const understood = (text: string) => grammar.read(text).map(({ intent }) => intent);
const commandsIn = (text: string) => grammar.read(text).filter((said) => said.kind === 'command');

describe('sentences that people say to their house', () => {
  test('are understood in at least 97 of a hundred cases', () => {
    const missed = commands.filter(({ intent, text }) => understood(text).join() !== intent);

    expect(commands.length).toBeGreaterThanOrEqual(100);
    const told = missed.map(({ intent, text }) => `${text} (${intent}, not ${understood(text)})`);
    expect(missed.length / commands.length, told.join('\n')).toBeLessThanOrEqual(0.03);
  });

  test('contain no question that is taken for a command', () => {
    const asked = commands.filter(({ intent }) =>
      ['weather', 'state', 'which', 'level', 'measure'].includes(intent),
    );

    const acting = asked.filter(({ text }) => grammar.read(text).some(({ kind }) => kind !== 'question'));

    expect(acting).toEqual([]);
  });
});

describe('sentences about houses', () => {
  test('are not taken for commands or questions to this one', () => {
    const taken = none.filter((text) => grammar.read(text).length > 0);

    expect(none.length).toBeGreaterThanOrEqual(80);
    expect(taken).toEqual([]);
  });

  test('are only taken from skills if they are plain commands', () => {
    const plain = new Set([
      ...['Turn on the kitchen lights.', 'Turn off the radio.', 'Is the door locked?', 'Put the kettle on.'],
      ...['Mute.', 'Make it louder.', 'Stop the music.', 'Resume.', 'Turn off the kitchen one.'],
      ...[
        'Turn off the oven.',
        'Set the oven to 180 degrees.',
        'Set the heating to twenty degrees.',
        'Start the dishwasher.',
      ],
    ]);
    const others = [...household, ...timerSentences].map(({ text }) => text);

    const taken = [...others, ...remarks].filter(
      (text) => grammar.read(text).some(({ kind }) => kind !== 'reference') && !plain.has(text),
    );

    expect(taken).toEqual([]);
  });
});

describe('a question', () => {
  test.each([
    ['Did I lock the front door?', 'is the front door locked'],
    ['Did I turn off the coffee machine?', 'is the coffee machine off'],
    ['Is the bedside lamp on or off?', 'is the bedside lamp on'],
    ['Are the blinds open in the bedroom?', 'are all the blinds open in the bedroom'],
    ['Did I leave the blinds open?', 'are any blinds open'],
    ['How warm is it in here?', 'what is the temperature'],
  ])('may be asked in other words, too: %s', (text, other) => {
    expect(grammar.read(text)).toMatchObject([
      { kind: 'question', rephrasings: expect.arrayContaining([other]) },
    ]);
  });
});

describe('a command for later', () => {
  test.each([
    'Turn off the lights in ten minutes.',
    'Turn on the heating at seven.',
    'Turn the lights off tomorrow morning.',
    'Close the blinds when it gets dark.',
    'If it gets dark, turn on the lights.',
    'Turn on the lights when I come home.',
    'Turn on the fan for half an hour.',
    'At sunset, open the blinds.',
  ])('is recognized: %s', (text) => {
    expect([grammar.isForLater(text), grammar.read(text)]).toEqual([true, []]);
  });

  test('differs from a command for now, and from a remark', () => {
    const others = [...none, ...remarks, ...household.map(({ text }) => text)];
    const isTold = (text: string) => /\b(in (ten|an)|at seven|tomorrow|when (I|it)|If it)\b/.test(text);

    const taken = others.filter((text) => grammar.isForLater(text) && !isTold(text));

    expect(taken).toEqual([]);
  });
});

describe('a command', () => {
  test.each([
    ['Could you turn on the kitchen lights for me, please?', 'turn on the kitchen lights'],
    ['Hey Hearth, set the bedroom lights to 50%.', 'set the bedroom lights to 50%'],
    ['um, lock the front door now', 'lock the front door'],
    ['I am cold, turn up the heating a bit.', 'turn up the heating'],
    ['Turn the heating off in the bedroom.', 'turn off the heating in the bedroom'],
    ['Lights on in the kitchen!', 'turn on Lights in the kitchen'],
    ['Switch everything off downstairs.', 'turn off everything downstairs'],
    ['Can you put the light on in here?', 'turn on the light'],
    ['Kill the lights.', 'turn off the lights'],
    ['Turn out the kitchen lights.', 'turn off the kitchen lights'],
    ["I'd like the bedroom lights off.", 'turn off the bedroom lights'],
    ['Pull the blinds down, please.', 'close the blinds'],
    ['Blinds up!', 'open Blinds'],
    ['Kitchen lights to 50%, please.', 'set Kitchen lights to 50%'],
    ['Put the heating up to 22 degrees.', 'Put the heating up to 22 degrees'],
    ['Turn up the heating.', 'Turn up the heating'],
    ['Dim the lights.', 'Dim the lights'],
    ['Switch the floor lamp off.', 'Switch the floor lamp off'],
    ['Activate movie night.', 'Activate movie night'],
  ])('is sent without polite words: %j', (text, sent) => {
    expect(grammar.read(text).map((each) => each.text)).toEqual([sent]);
  });

  test('for two things is two commands if each has a verb', () => {
    const found = grammar.read('Turn on the kitchen lights and close the blinds.');

    expect(found.map(({ text }) => text)).toEqual(['Turn on the kitchen lights', 'close the blinds']);
  });

  test.each([
    [
      'turn on the kitchen ceiling and the floor lamp',
      ['turn on the kitchen ceiling', 'turn on the floor lamp'],
    ],
    [
      'turn on the bedroom lights and the fan in the garage',
      ['turn on the bedroom lights', 'turn on the fan in the garage'],
    ],
  ])('for two things with one verb is one command each: %s', (text, parts) => {
    const reach = { by: 'parts', parts: parts.map((part) => ({ text: part })) };

    expect(grammar.read(text)).toMatchObject([{ reach }]);
  });

  test('for two things stays one command if the room of one is unclear', () => {
    const text = 'turn on the lights and the fan in the bedroom';

    expect(grammar.read(text)).toMatchObject([{ reach: { by: 'words' } }]);
  });

  test('for one thing of a kind is never one command each', () => {
    const eachOf = (text: string) => commandsIn(text).map(({ each }) => each?.domains ?? []);

    expect(['switch off', 'lock the door'].map(eachOf)).toEqual([[[]], [[]]]);
    expect(grammar.read('turn off the plug')).toMatchObject([
      { each: { calledWith: ['plug'], isOne: true, isOfRoom: true } },
    ]);
    expect(['turn off the switches', 'lock the doors'].map(eachOf)).toEqual([[['switch']], [['lock']]]);
  });

  test('in two rooms is two commands', () => {
    const found = grammar.read('Turn off the lights in the kitchen and the living room.');

    expect(found.map(({ text }) => text)).toEqual([
      'Turn off the lights in the kitchen',
      'Turn off the lights in the living room',
    ]);
  });

  test('in two rooms is two commands, although things are called after the rooms', () => {
    const named = createHomeGrammar({ grammar: createWishGrammar(language, words), sentences, words });
    const thing = (id: string, name: string, room: string) => ({
      ...{ id, name, names: [name], deviceClass: null, device: [], place: [room] },
    });
    const things = [
      thing('light.kids', 'Kids Room light', 'Kids Room'),
      thing('light.emma', "Emma's Room light", "Emma's Room"),
    ];
    named.learn({ areas: ['Kids Room', "Emma's Room"], things, described: things });

    expect(named.read("turn on the kids room and emma's room lights")).toMatchObject([
      { reach: { by: 'parts', parts: [{ place: 'kids room' }, { place: "emma's room" }] } },
    ]);
  });

  test.each([
    ['turn on the lights', { isPlaced: false, needsRoom: true }],
    ['turn on the lights here', { isPlaced: false, needsRoom: true }],
    ['turn on all the lights', { isEverywhere: true, needsRoom: false }],
    ['turn off the house lights', { isEverywhere: true, isPlaced: true }],
    ['turn off the desk lamp', { isSpecial: true, kinds: ['light'] }],
    ['turn on the bedside lamp', { isPlaced: true, isNamed: true }],
    ['turn on the flux capacitor', { isUnknown: true, bare: 'flux capacitor' }],
    ['switch off on the magic plug', { isUnknown: true, bare: 'magic plug' }],
    ['turn off the jukebox in', { isUnknown: true, bare: '' }],
    ['turn off only one jukebox', { isUnknown: true, bare: 'jukebox' }],
    ['turn off the jukebox in the den', { isUnknown: true, bare: 'jukebox in the den', isPlaced: true }],
    ['turn on the kitchen lights', { elsewhere: 'turn on the lights in the {area}' }],
    ['turn on the bedside lamp', { elsewhere: null }],
    ['turn the lights on in the kitchen', { elsewhere: 'turn on the lights in the {area}' }],
    ['kitchen lights on', { elsewhere: 'turn on the lights in the {area}' }],
  ])('reports its open choices: %j', (text, expected) => {
    expect(grammar.read(text)).toMatchObject([expected]);
  });

  test.each([
    ['set the volume to 4', 'set the {room} volume to 40'],
    ['set the volume to four percent', 'set the {room} volume to 4'],
    ['lower the volume to ten', 'set the {room} volume to 10'],
    ['increase the volume to ten', 'set the {room} volume to 100'],
    ['turn the volume to the loudest', 'set the {room} volume to 100'],
    // Home Assistant takes "down by twenty" for up.
    ['turn the volume down by twenty five percent', 'turn down the {room} volume by 25'],
    ['set the lights to seven', 'set the {room} brightness to 70'],
  ])('has a number from one to ten: %s', (text, way) => {
    expect(grammar.read(text)).toMatchObject([{ kind: 'command', reach: { ways: [way] } }]);
  });

  test.each([
    ['set the volume to ten', 'which_scale'],
    ['change the color of the lights', 'which_color'],
  ])('asks for a missing part: %s', (text, asks) => {
    expect(grammar.read(text)).toMatchObject([{ kind: 'unclear', asks }]);
  });

  test.each([
    ['set the kitchen lights to 30 percent', 'set the kitchen lights to 30 percent', 30],
    ['set the thermostat to seventy two degrees', 'set the thermostat to 72 degrees', 72],
    ['set the thermostat to twenty one point five', 'set the thermostat to 21.5', 21.5],
    ['close the living room blinds to thirty percent', 'set Living room blinds to 30 percent', 30],
    ['open the living room blinds 30 percent', 'set Living room blinds to 30 percent', 30],
    ['open the living room blinds halfway', 'set the living room blinds to 50 percent', 50],
    ['close the living room blinds three quarters', 'set the living room blinds to 25 percent', 25],
    ['lower the living room blinds a quarter', 'set the living room blinds to 75 percent', 75],
    ['close the living room blinds to a quarter', 'set the living room blinds to 25 percent', 25],
    ['open the living room blinds three quarters', 'set the living room blinds to 75 percent', 75],
    ['close the living room blinds 30 percent', 'set the living room blinds to 70 percent', 70],
    ['make the living room blinds 40% closed', 'set the living room blinds to 60 percent', 60],
    ['make the living room blinds forty percent open', 'set the living room blinds to 40 percent', 40],
    ['half close the living room blinds', 'set the living room blinds to 50 percent', 50],
    ['leave the living room blinds half open', 'set the living room blinds to 50 percent', 50],
    ['set the kitchen lights to 2700 kelvin', 'set the kitchen to 2700 kelvin', null],
  ])('sets a number in digits: %s', (text, way, setTo) => {
    const [read] = commandsIn(text);
    const ways = read?.reach.by === 'words' ? read.reach.ways : [];

    expect(ways.map((each) => each.toLowerCase())).toContain(way.toLowerCase());
    expect(read?.setTo).toBe(setTo);
  });

  test('is read as before if a lamp is called "the"', () => {
    const other = createHomeGrammar({ grammar: createWishGrammar(language, words), sentences, words });
    other.learn({ areas: ['Kitchen'], things: [{ id: 'light.the', name: 'the' }] });

    expect(other.read('turn on the kitchen lights')).toMatchObject([{ place: 'kitchen', isNamed: false }]);
  });

  test('for any one of several things is not a command for all', () => {
    expect(grammar.read('turn off a light')).toMatchObject([{ reach: { ways: [] }, each: { isOne: true } }]);
  });

  test('is parsed in linear time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('the', 'kitchen', 'light', 'and', 'on', 'turn', 'in', 'all')),
        (said) => {
          const begun = performance.now();
          grammar.read(said.join(' '));
          return performance.now() - begun < 500;
        },
      ),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['dock the mower', ['lawn_mower']],
  ['stop mowing the lawn', ['lawn_mower']],
  ['send the robot vacuum back to its base', ['vacuum']],
  ['go to the dock', ['vacuum', 'lawn_mower']],
])('%s means %j', (text, domains) => {
  expect(commandsIn(text).map(({ each }) => each?.domains)).toEqual([domains]);
});

test.each([
  ['make the lights brighter and warmer', ['brighter the lights', 'warmer_light the lights']],
  ['make the lights dimmer and a bit warmer', ['darker the lights', 'warmer_light the lights']],
  // Nobody makes the television warmer.
  ['turn on the tv and warmer', ['on the tv', 'warmer the tv']],
  ['dim the lights and turn up the volume', ['darker the lights', 'louder ']],
  ['turn on the tv and louder', ['on the tv', 'louder ']],
])('%s is about %j', (text, said) => {
  expect(commandsIn(text).map(({ intent, target }) => `${intent} ${target}`)).toEqual(said);
});

describe('a sentence about the last things', () => {
  const lamps = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `light.${at}`, name: `Lamp ${at}` }));
  const meantAfter = (
    text: string,
    before: { text: string; target?: string; things: ReturnType<typeof lamps> },
  ) => {
    const [said] = grammar.read(text);
    if (said?.kind !== 'reference') throw new Error(`${text} refers to nothing`);
    return grammar.referring(said, { target: '', elsewhere: '', ...before })?.intent;
  };

  test.each([
    ['turn it up', 'dim the lamp', 'brighter'],
    ['a bit more', 'dim the lamp', 'darker'],
    ['less', 'dim the lamp', 'brighter'],
    ['a bit more', 'make the lamp brighter', 'brighter'],
    ['a bit more', 'set the lamp to 50 percent', 'brighter'],
    ['turn both back on', 'turn off the lamp and the fan', 'on'],
    ['continue', 'pause the music', 'resume'],
    ['off', 'turn on the lamp', 'off'],
    ['and on again', 'turn off the lamp', 'on'],
  ])('%j after %j: %s', (text, last, intent) => {
    expect(meantAfter(text, { text: last, things: lamps(1) })).toBe(intent);
  });

  test.each([
    ['a bit more', 'raise the blinds a bit', 'more_open'],
    ['lower', 'raise the blinds a bit', 'less_open'],
    ['a bit more', 'set the blinds to 50 percent', 'more_open'],
  ])('%j after %j, of blinds: %s', (text, last, intent) => {
    const things = [{ id: 'cover.blinds', name: 'Blinds' }];

    expect(meantAfter(text, { text: last, things })).toBe(intent);
  });

  test('continues nothing that was not paused', () => {
    expect(meantAfter('continue', { text: 'turn on the lamp', things: lamps(1) })).toBeUndefined();
  });

  test('takes no further step if there was none', () => {
    expect(meantAfter('a bit more', { text: 'turn on the lamp', things: lamps(1) })).toBeUndefined();
  });

  test('may mean more of them than were named', () => {
    expect(meantAfter('turn them all off', { text: '', things: lamps(9) })).toBe('off');
  });

  test('is not a correction by itself', () => {
    expect(
      meantAfter('no, the garden', { text: 'turn on the lamp', target: 'the lamp', things: lamps(1) }),
    ).toBeUndefined();
  });
});

test('a change in degrees is not a temperature to set', () => {
  expect(grammar.read('turn it down two degrees')).toEqual([]);
  expect(grammar.read('turn it down to 68 degrees')).toMatchObject([{ intent: 'set', setTo: 68 }]);
});
