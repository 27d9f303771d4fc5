import { describe, expect, test } from 'vitest';
import type { ColorTemperature, HomeSetting } from '../../../../api/src/engines/home-setting.ts';
import { domainOf } from '../../../../api/src/engines/home-templates.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createTargetResolver } from '../../../../api/src/respond/home/target-resolver.ts';
import { createHomeGrammar } from '../../../../api/src/respond/home/understand/home-grammar.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createWishGrammar } from '../../../../api/src/respond/home/understand/home-wishes.ts';
import { homeIntents } from '../../../../api/src/respond/home/understand/understood.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { sentencesOf, reply, words } = loadSkill(language.files, 'home', homeShape);

interface Thing {
  id: string;
  name: string;
  room?: string;
  aliases?: string[];
  device?: string[];
  deviceClass?: string;
  state?: string;
  setting?: HomeSetting;
  white?: ColorTemperature;
  isHidden?: boolean;
}

const house: Thing[] = [
  { id: 'cover.garage', name: 'Garage Door Opener', room: 'Garage', deviceClass: 'garage' },
  { id: 'light.garage', name: 'Garage Door Opener', room: 'Garage' },
  { id: 'vacuum.downstairs', name: 'Downstairs cleaner', device: ['Sweepy', 'Roborock', 'S5'] },
  { id: 'cover.living', name: 'Curtain smart', room: 'Living Room', deviceClass: 'curtain' },
  { id: 'fan.bedroom', name: 'Bedroom 1 fan', room: 'Bedroom 1' },
  { id: 'light.hue_one', name: 'Hue bulb 1', room: 'Office' },
  { id: 'light.hue_two', name: 'Hue bulb 2', room: 'Kitchen' },
  { id: 'light.tree', name: 'Outdoor Christmas lights', aliases: ['Tree sparkle'] },
  { id: 'light.secret', name: 'Secret cave strip', isHidden: true },
  { id: 'lock.entry', name: 'Smart Lock', room: 'Entry' },
  { id: 'lock.rear', name: 'Rear door lock', room: 'Garage' },
  { id: 'valve.garden', name: 'Irrigation Valve', room: 'Front yard', deviceClass: 'water' },
  { id: 'valve.gas', name: 'Gas main', room: 'Front yard', deviceClass: 'gas' },
  { id: 'media_player.terrace', name: 'Loud one', room: 'Rooftop Terrace', state: 'playing' },
];

/** Resolves the first command in a text. */
async function resolutionOf(
  text: string,
  { room = null, things = house }: { room?: string | null; things?: Thing[] } = {},
) {
  const grammar = createHomeGrammar({
    grammar: createWishGrammar(language, words),
    sentences: sentencesOf(homeIntents),
    words,
  });
  const named = things.map(({ id, name, aliases = [] }) => ({ id, name, aliases }));
  grammar.learn({
    areas: things.flatMap((thing) => thing.room ?? []),
    things: named.flatMap(({ id, name, aliases }) => [name, ...aliases].map((each) => ({ id, name: each }))),
    described: things.map(({ id, name, aliases = [], device = [], deviceClass = null, room: at }) => ({
      id,
      names: [name, ...aliases],
      deviceClass,
      device,
      place: at === undefined ? [] : [at],
    })),
  });
  const roomOf = (id: string) => things.find((thing) => thing.id === id)?.room ?? null;
  const resolve = createTargetResolver({
    client: {
      light: async () => 50,
      colorTemperature: async (id) => things.find((thing) => thing.id === id)?.white ?? null,
      volume: async () => 40,
      setting: async (id) => things.find((thing) => thing.id === id)?.setting ?? null,
      states: async () => Object.fromEntries(things.map(({ id, state = 'off' }) => [id, state])),
      exposed: async () => things.filter(({ isHidden }) => !isHidden).map(({ id }) => id),
    },
    house: {
      thingsIn: (domains, where) =>
        named.filter(
          ({ id }) =>
            domains.includes(domainOf(id)) &&
            (where === null || roomOf(id)?.toLowerCase() === where.toLowerCase()),
        ),
      thingsOf: (ids) => named.filter(({ id }) => ids.includes(id)),
      roomOf,
    },
    index: grammar.index,
    sentenceFor: { roomOf: () => room },
    alike: async () => null,
    reply,
    words,
  });
  const [command] = grammar.read(text);
  if (command?.kind !== 'command') throw new Error(`${text} is not understood`);
  return await resolve(command, question(text));
}

/** Resolves the first command in a text to calls such as "light.turn_on light.lamp", a refusal, or names. */
async function ask(...request: Parameters<typeof resolutionOf>) {
  const found = await resolutionOf(...request);
  if (!found || found.refusal !== null) return found?.refusal?.text ?? null;
  if (found.unable !== null) return found.unable;
  if (found.heatingsOff.length > 0) return { heatingsOff: found.heatingsOff.map(({ name }) => name) };
  if (found.choices.length > 0) return { choices: found.choices.map(({ name }) => name) };
  return found.orders.map(({ thing, call }) =>
    [call.service, thing.id, ...Object.values(call.data)].join(' '),
  );
}

test('confirms a relative brightness by the percent that was set', async () => {
  const things = [{ id: 'light.counter', name: 'Counter', room: 'Kitchen' }];

  expect((await resolutionOf('dim the kitchen lights', { things }))?.confirmation).toBe(
    'Brightness set to 30 percent.',
  );
});

test.each([
  ['stop the music everywhere', ['media_player.tv', 'media_player.radio']],
  ['pause the music in all rooms', ['media_player.tv', 'media_player.radio']],
  ['pause everything that is playing', ['media_player.tv', 'media_player.radio']],
  ['stop all the music', ['media_player.tv', 'media_player.radio']],
  ['resume all the music', ['media_player.speaker']],
])('of the players in all rooms, %s is for %j', async (text, ids) => {
  const things = [
    { id: 'media_player.tv', name: 'TV', room: 'Living Room', state: 'playing' },
    { id: 'media_player.speaker', name: 'Speaker', room: 'Living Room', state: 'paused' },
    { id: 'media_player.radio', name: 'Radio', room: 'Kitchen', state: 'playing' },
  ];

  const found = await resolutionOf(text, { things, room: 'Bathroom' });

  expect(found?.orders.map(({ thing }) => thing.id)).toEqual(ids);
});

describe('the white of lights', () => {
  const range = { low: 2200, high: 6500 };
  const lamp = (name: string, white?: ColorTemperature): Thing => ({
    ...{ id: `light.${name.toLowerCase()}`, name, room: 'Kitchen' },
    ...(white && { white }),
  });
  const things = [
    lamp('Counter', { ...range, now: 3000, isOn: true }),
    // It shows a color.
    lamp('Strip', { ...range, now: null, isOn: true }),
    lamp('Hood', { ...range, now: null, isOn: false }),
  ];

  test.each([
    ['make the lights warmer', ['2400 light.counter', '3750 light.strip']],
    ['make the kitchen lights a bit cooler', ['3600 light.counter', '4950 light.strip']],
    ['warmer light please', ['2400 light.counter', '3750 light.strip']],
    ['make the counter whiter', ['3600 light.counter']],
  ])('%s: %j', async (text, kelvins) => {
    const found = await resolutionOf(text, { things, room: 'Kitchen' });

    expect(found?.orders.map(({ call, thing }) => `${call.data['color_temp_kelvin']} ${thing.id}`)).toEqual(
      kelvins,
    );
  });

  test('stays within the range of each light, and is told', async () => {
    const one = [lamp('Counter', { ...range, now: 2300, isOn: true })];

    const found = await resolutionOf('make the lights warmer', { things: one, room: 'Kitchen' });

    expect(found?.confirmation).toBe('Color temperature set to 2200 kelvin.');
  });

  test('is refused if no light has one, or all are off', async () => {
    const off = lamp('Hood', { ...range, now: null, isOn: false });

    expect(await ask('make the lights warmer', { things: [lamp('Bulb')], room: 'Kitchen' })).toBe(
      'Bulb cannot show warm or cool white.',
    );
    expect(await ask('make the lights warmer', { things: [off], room: 'Kitchen' })).toBe(
      'The lights are off.',
    );
  });
});

describe('a thing is found by any part of its name', () => {
  test.each([
    ['open the garage door', 'cover.open_cover cover.garage'],
    ['turn on the garage door opener', 'light.turn_on light.garage'],
    ['start Roborock', 'vacuum.start vacuum.downstairs'],
    ['start the roborock vacuum', 'vacuum.start vacuum.downstairs'],
    ['Roborock return to base', 'vacuum.return_to_base vacuum.downstairs'],
    ['close the living room smart curtain', 'cover.close_cover cover.living'],
    ['close the curtains', 'cover.close_cover cover.living'],
    ['set the living room curtains to 50%', 'cover.set_cover_position cover.living 50'],
    ['turn off the fan in the bedroom', 'fan.turn_off fan.bedroom'],
    ['turn on the fan', 'fan.turn_on fan.bedroom'],
    ['turn on the office hue', 'light.turn_on light.hue_one'],
    ['turn on hue bulb two', 'light.turn_on light.hue_two'],
    ['turn on the christmas light', 'light.turn_on light.tree'],
    ['turn on the sparkle', 'light.turn_on light.tree'],
    // A room alone: its lights.
    ['turn off the office', 'light.turn_off light.hue_one'],
    ['turn on the kitchen', 'light.turn_on light.hue_two'],
    ['lock the front door lock', 'lock.lock lock.entry'],
    ['unlock the entry lock', 'lock.unlock lock.entry'],
    ['turn on the water in the front yard', 'valve.open_valve valve.garden'],
    ['water the garden', 'valve.open_valve valve.garden'],
    ['pause the music outside', 'media_player.media_pause media_player.terrace'],
    ['turn the volume down to 50%', 'media_player.volume_set media_player.terrace 0.5'],
    ['turn up the volume by 20 percent', 'media_player.volume_set media_player.terrace 0.6'],
    ['loud one quieter', 'media_player.volume_down media_player.terrace'],
  ])('%j: %j', async (text, call) => {
    expect(await ask(text)).toEqual([call]);
  });

  test.each(['turn on the porch light', 'turn on the secret cave', 'turn off the garage fan'])(
    '%j matches nothing',
    async (text) => {
      expect(await ask(text)).toBeNull();
    },
  );

  test('a plug may be what the words call a machine, and irrigation a valve', async () => {
    const things = [
      { id: 'switch.beamer', name: 'Projector Plug', room: 'Office' },
      { id: 'valve.south', name: 'South Field Irrigation', room: 'South Field' },
      { id: 'light.tv', name: 'TV Backlight', room: 'Lounge' },
    ];

    expect(await ask('turn on the projector', { things })).toEqual(['switch.turn_on switch.beamer']);
    expect(await ask('turn on the irrigation in the south field', { things })).toEqual([
      'valve.open_valve valve.south',
    ]);
    expect(await ask('turn on the tv', { things })).toBeNull();
  });

  test.each([
    ['stop the sprinklers', 'valve.close_valve valve.yard'],
    ['set the sprinklers to open', 'valve.open_valve valve.yard'],
    ['set the kitchen sink to fully closed', 'valve.close_valve valve.sink'],
    ['stop the washer', 'switch.turn_off switch.washer'],
    ['stop the coffee machine', 'switch.turn_off switch.brewer'],
    ['stop the curtain', 'cover.stop_cover cover.curtain'],
  ])('"%s" ends what runs', async (text, expected) => {
    const things = [
      { id: 'valve.yard', name: 'Sprinklers', room: 'Backyard' },
      { id: 'valve.sink', name: 'Kitchen Sink', room: 'Kitchen' },
      { id: 'switch.washer', name: 'Washer', room: 'Laundry' },
      { id: 'switch.brewer', name: 'Coffee Machine', room: 'Kitchen' },
      { id: 'cover.curtain', name: 'Curtain', room: 'Kitchen' },
    ];

    expect(await ask(text, { things })).toEqual([expected]);
  });

  test.each([
    'turn on the heater',
    'turn on the heater on the porch',
    'turn on the heater near the front porch',
  ])('a heater may be a thermostat: "%s"', async (text) => {
    const things = [
      { id: 'climate.porch_heater', name: 'Porch Heater', room: 'Front Porch' },
      { id: 'climate.office', name: 'Thermostat', room: 'Office' },
    ];

    expect(await ask(text, { things })).toEqual(['climate.turn_on climate.porch_heater']);
  });

  test('a thing named like a verb or an article disturbs no command', async () => {
    const things = [
      { id: 'switch.stop', name: 'Stop' },
      { id: 'switch.the', name: 'the' },
      { id: 'light.set', name: 'Set' },
      { id: 'fan.one', name: 'Ceiling fan', aliases: ['вентилятор'] },
    ];

    expect(await ask('turn on the fan', { things })).toEqual(['fan.turn_on fan.one']);
    expect(await ask('turn on the вентилятор', { things })).toEqual(['fan.turn_on fan.one']);
  });
});

describe('among several things', () => {
  test('those of the kind in the speaker’s room match', async () => {
    expect(await ask('turn the lights up to eight', { room: 'Kitchen' })).toEqual([
      'light.turn_on light.hue_two 80',
    ]);
  });

  test('the one in the speaker’s room matches', async () => {
    expect(await ask('turn on the hue', { room: 'Kitchen' })).toEqual(['light.turn_on light.hue_two']);
  });

  test.each(['turn on the hue', 'lock the door', 'lock the lock', 'unlock all the doors'])(
    '%j leaves the choice to the person',
    async (text) => {
      expect(await ask(text)).toEqual({ choices: expect.toSatisfy((names: string[]) => names.length > 1) });
    },
  );

  test('a room without thermostats and blinds has the choice among those of the house', async () => {
    const things = [
      { id: 'climate.lounge', name: 'Lounge thermostat', room: 'Lounge' },
      { id: 'climate.bedroom', name: 'Bedroom thermostat', room: 'Bedroom' },
      { id: 'light.lounge', name: 'Lounge ceiling', room: 'Lounge' },
      { id: 'light.bedroom', name: 'Bedroom ceiling', room: 'Bedroom' },
    ];
    const inKitchen = { things, room: 'Kitchen' };

    expect(await ask('set the thermostat to 21', inKitchen)).toEqual({
      choices: ['Lounge thermostat', 'Bedroom thermostat'],
    });
    expect(await ask('dim the lights to 20', inKitchen)).toBeNull();
  });

  test('all match a word for all', async () => {
    expect(await ask('lock all the locks')).toEqual(['lock.lock lock.entry', 'lock.lock lock.rear']);
    // By a part of their names, in two rooms.
    expect(await ask('turn off all the hue bulbs')).toEqual([
      'light.turn_off light.hue_one',
      'light.turn_off light.hue_two',
    ]);
    expect(await ask('turn off the hue bulb')).toEqual({ choices: ['Hue bulb 1', 'Hue bulb 2'] });
  });

  test('all are meant by a plural, if they share a room', async () => {
    const lamp = (id: string, name: string, room: string) => ({ id: `light.${id}`, name, room });
    const barn = [lamp('one', 'Barn Light 1', 'Cow Barn'), lamp('two', 'Barn Light 2', 'Cow Barn')];
    const far = [...barn, lamp('three', 'Barn Light 3', 'Old Barn')];

    expect(await ask('turn on the barn lights', { things: barn })).toEqual([
      'light.turn_on light.one',
      'light.turn_on light.two',
    ]);
    expect(await ask('turn on the barn lights', { things: far })).toEqual({
      choices: ['Barn Light 1', 'Barn Light 2', 'Barn Light 3'],
    });
  });

  test('the only one of its kind is meant in every room, but not the only light', async () => {
    const things = [
      { id: 'cover.blind', name: 'Bedroom blind', room: 'Bedroom' },
      { id: 'fan.ceiling', name: 'Ceiling fan', room: 'Bedroom' },
      { id: 'light.bedside', name: 'Bedside', room: 'Bedroom' },
    ];
    const inKitchen = { things, room: 'Kitchen' };

    expect(await ask('put the blinds halfway', inKitchen)).toEqual([
      'cover.set_cover_position cover.blind 50',
    ]);
    expect(await ask('set the fan to low', inKitchen)).toEqual(['fan.set_percentage fan.ceiling 33']);
    expect(await ask('dim the lights to 20', inKitchen)).toBeNull();
  });

  test.each([
    ['turn on all the lights except the office', ['light.garage', 'light.hue_two', 'light.tree']],
    ['turn on all the lights but leave the office off', ['light.garage', 'light.hue_two', 'light.tree']],
    ['turn on all the lights but the office and the hue bulb 2', ['light.garage', 'light.tree']],
    ['lock everything', ['lock.entry', 'lock.rear']],
    ['lock up the house', ['lock.entry', 'lock.rear']],
    ['lock up', ['lock.entry', 'lock.rear']],
    ['lock all the doors except the rear door', ['lock.entry']],
    ['close everything', ['cover.garage', 'cover.living']],
    ['open everything', ['cover.garage', 'cover.living']],
  ])('%j means these', async (text, ids) => {
    const calls = await ask(text);

    expect(Array.isArray(calls) && calls.map((call) => call.split(' ')[1])).toEqual(ids);
  });

  test('everything is unlocked one by one', async () => {
    expect(await ask('unlock everything')).toEqual({ choices: ['Smart Lock', 'Rear door lock'] });
  });

  test('a switch of an automation does not belong to everything', async () => {
    const things = [
      { id: 'input_boolean.guests', name: 'Guest mode', room: 'Hall' },
      { id: 'light.hall', name: 'Hall Light', room: 'Hall' },
      { id: 'switch.fountain', name: 'Fountain', room: 'Garden' },
    ];

    expect(await ask('turn off everything', { things })).toEqual([
      'light.turn_off light.hall',
      'switch.turn_off switch.fountain',
    ]);
    expect(await ask('turn off guest mode', { things })).toEqual([
      'input_boolean.turn_off input_boolean.guests',
    ]);
  });

  test('a thing is found by the word of its room, if its name has it too', async () => {
    const things = [
      { id: 'cover.door', name: 'Garage door', room: 'Garage', deviceClass: 'garage' },
      { id: 'light.one', name: 'Garage ceiling', room: 'Garage' },
    ];
    expect(await ask('close the garage', { things, room: 'Kitchen' })).toEqual([
      'cover.close_cover cover.door',
    ]);
  });

  test.each([
    ['dim all interior lights', ['light.kitchen', 'light.hall']],
    ['brighten all the indoor lights', ['light.kitchen', 'light.hall']],
    ['turn off all the lights inside', ['light.kitchen', 'light.hall']],
    ['dim all the outdoor lights', ['light.garden']],
    ['set the exterior lights to 20%', ['light.garden']],
  ])('%j means those inside or outside only', async (text, ids) => {
    const things = [
      { id: 'light.kitchen', name: 'Kitchen ceiling', room: 'Kitchen' },
      { id: 'light.hall', name: 'Hall ceiling', room: 'Hall' },
      { id: 'light.garden', name: 'Lantern', room: 'Garden' },
    ];
    const calls = await ask(text, { things, room: 'Kitchen' });

    expect(Array.isArray(calls) && calls.map((call) => call.split(' ')[1])).toEqual(ids);
  });

  test.each(['dim the desk lamp', 'dim all the desk lamps', 'make the night light red'])(
    '%j is no other lamp',
    async (text) => {
      expect(await ask(text, { room: 'Office' })).toBeNull();
    },
  );

  test('turns on everything in the room named after an exception, not in the house', async () => {
    const things = [
      { id: 'switch.kettle', name: 'Kettle', room: 'Kitchen' },
      { id: 'light.pendant', name: 'Pendant', room: 'Kitchen' },
      { id: 'light.hall', name: 'Hall Light', room: 'Hall' },
      { id: 'media_player.tv', name: 'TV', room: 'Lounge' },
    ];

    for (const text of [
      'turn on everything but the kettle in the kitchen',
      'turn on everything in the kitchen but the kettle',
    ])
      expect(await ask(text, { things })).toEqual(['light.turn_on light.pendant']);
    expect(await ask('turn off everything but the kettle in the kitchen', { things })).toEqual([
      'light.turn_off light.pendant',
    ]);
    expect(await ask('turn off everything but the light in the kitchen', { things })).toEqual([
      'switch.turn_off switch.kettle',
      'light.turn_off light.hall',
      'media_player.turn_off media_player.tv',
    ]);
  });

  test.each(['everything off in here', 'turn everything off in this room', 'turn off everything in here'])(
    '"%s" stays in the room',
    async (text) => {
      const things = [
        { id: 'light.pendant', name: 'Pendant', room: 'Kitchen' },
        { id: 'light.hall', name: 'Hall Light', room: 'Hall' },
      ];

      expect(await ask(text, { things, room: 'Kitchen' })).toEqual(['light.turn_off light.pendant']);
      expect(await ask(text, { things })).toBeNull();
    },
  );

  test('a place says where a thing is in other words, too', async () => {
    const things = [
      { id: 'light.counter', name: 'Kitchen counter', room: 'Kitchen' },
      { id: 'light.ceiling', name: 'Kitchen ceiling', room: 'Kitchen' },
      { id: 'fan.bedroom', name: 'Bedroom fan', room: 'Bedroom' },
    ];

    expect(await ask('turn on the light over the counter', { things })).toEqual([
      'light.turn_on light.counter',
    ]);
    expect(await ask('set the bedroom fan to half speed', { things })).toEqual([
      'fan.set_percentage fan.bedroom 50',
    ]);
  });

  test('a room stands for its locks and its covers, if the verb is for those alone', async () => {
    const things = [
      { id: 'lock.vault', name: 'Wine vault', room: 'Cellar' },
      { id: 'lock.yale', name: 'Yale', room: 'Hall' },
      { id: 'cover.roman', name: 'Roman blind', room: 'Lounge', deviceClass: 'blind' },
      { id: 'light.lounge', name: 'Downlights', room: 'Lounge' },
    ];

    expect(await ask('lock the cellar', { things })).toEqual(['lock.lock lock.vault']);
    expect(await ask('unlock the cellar', { things })).toEqual(['lock.unlock lock.vault']);
    expect(await ask('close the lounge', { things })).toEqual(['cover.close_cover cover.roman']);
    expect(await ask('turn off the lounge', { things })).toEqual(['light.turn_off light.lounge']);
    await expect(ask('open the cellar', { things })).rejects.toThrow('is not understood');
  });

  test('a place may follow any command', async () => {
    const things = [
      { id: 'climate.split', name: 'Split system', room: 'Lounge' },
      { id: 'climate.bed', name: 'Sensibo', room: 'Bedroom' },
      { id: 'fan.deck', name: 'Breeze', room: 'Verandah' },
    ];

    expect(await ask('set the temperature to 19 in the lounge', { things })).toEqual([
      'climate.set_temperature climate.split 19',
    ]);
    expect(await ask('set the fan to low on the verandah', { things })).toEqual([
      'fan.set_percentage fan.deck 33',
    ]);
  });

  test('a part of the way may be any simple fraction', async () => {
    const things = [{ id: 'cover.roman', name: 'Roman blind', room: 'Lounge', deviceClass: 'blind' }];
    const positions = {
      half: 50,
      'a quarter': 25,
      '3/4': 75,
      'three quarters of the way': 75,
      'a third': 33,
    };

    for (const [words, position] of Object.entries(positions))
      expect(await ask(`open the roman blind ${words}`, { things })).toEqual([
        `cover.set_cover_position cover.roman ${position}`,
      ]);
    expect(await ask('set the roman blind to a quarter', { things })).toEqual([
      'cover.set_cover_position cover.roman 25',
    ]);
  });

  test('an unknown exception does not make a command apply to all', async () => {
    expect(await ask('turn on all the lights except the sauna')).toBe('I do not know any sauna.');
  });

  test('a temperature without a target is for the only thermostat', async () => {
    const setting = { unit: 'degrees', value: 20 } as const;
    const things = [{ id: 'climate.hall', name: 'Thermostat', room: 'Hall', setting }];

    expect(await ask('set the temperature to 21 degrees', { things, room: 'Kitchen' })).toEqual([
      'climate.set_temperature climate.hall 21',
    ]);
    expect(await ask('make it 21 degrees', { things })).toEqual(['climate.set_temperature climate.hall 21']);
  });

  test('everything in a room is meant by that word', async () => {
    const things = [
      { id: 'light.row', name: 'Row 1', room: 'Open Space' },
      { id: 'switch.printer', name: 'Printer', room: 'Open Space' },
      { id: 'light.desk', name: 'Desk', room: 'Office' },
    ];

    expect(await ask('turn off everything in the open space', { things })).toEqual([
      'light.turn_off light.row',
      'switch.turn_off switch.printer',
    ]);
  });

  test.each([
    ['stop the vacuum', 'vacuum.return_to_base vacuum.up'],
    ['start the vacuum', 'vacuum.start vacuum.down'],
  ])('%j is for the machine that can', async (text, call) => {
    const things = [
      { id: 'vacuum.up', name: 'Upstairs robot', state: 'cleaning' },
      { id: 'vacuum.down', name: 'Downstairs robot', state: 'docked' },
    ];

    expect(await ask(text, { things })).toEqual([call]);
  });

  test('the player that pauses resumes, not one that is off', async () => {
    const player = (id: string, state: string) => ({ id: `media_player.${id}`, name: id, state });
    const things = [player('speakers', 'paused'), player('display', 'off')];

    expect(await ask('resume the music', { things })).toEqual([
      'media_player.media_play media_player.speakers',
    ]);
  });
});

describe('a room that is a part of the names of several', () => {
  const things: Thing[] = [
    { id: 'light.master', name: 'Master Bedroom Light', room: 'Master Bedroom' },
    { id: 'light.bath', name: 'Master Bathroom Light', room: 'Master Bedroom' },
    { id: 'light.guest', name: 'Guest Bedroom Light', room: 'Guest Bedroom' },
  ];
  const choices = ['Master Bedroom Light', 'Guest Bedroom Light'];

  test('is asked about', async () => {
    expect(await ask('turn on the bedroom light', { things })).toEqual({ choices });
    expect(await ask('turn off the bedroom lights', { things })).toEqual({
      choices: ['Master Bedroom Light', 'Master Bathroom Light', 'Guest Bedroom Light'],
    });
  });

  test('is the one in which the person speaks', async () => {
    expect(await ask('turn on the bedroom light', { things, room: 'Guest Bedroom' })).toEqual([
      'light.turn_on light.guest',
    ]);
  });
});

test.each([
  ['turn the light off in the guest bathroom', ['light.turn_off light.bath']],
  ['turn the light in the guest bathroom off', ['light.turn_off light.bath']],
])('a place may be only in the name of a thing: %s', async (text, calls) => {
  const things: Thing[] = [
    { id: 'light.bath', name: 'Guest Bathroom Light', room: 'Guest Bedroom' },
    { id: 'light.guest', name: 'Guest Bedroom Light', room: 'Guest Bedroom' },
  ];

  expect(await ask(text, { things })).toEqual(calls);
});

test('"the outside lights" are all of them', async () => {
  const things: Thing[] = [
    { id: 'light.garden', name: 'Garden Light', room: 'Garden' },
    { id: 'light.patio', name: 'Patio Light', room: 'Patio' },
    { id: 'light.hall', name: 'Hall Light', room: 'Hall' },
  ];
  const both = ['light.turn_on light.garden', 'light.turn_on light.patio'];

  expect(await ask('turn on the outside lights', { things })).toEqual(both);
  expect(await ask('turn on the outdoor lights', { things })).toEqual(both);
});

test('a setting in words counts for the lights of a room', async () => {
  expect(await ask('set the office to half brightness')).toEqual(['light.turn_on light.hue_one 50']);
});

test('all vacuum cleaners of a house are meant by a plural', async () => {
  const things = [
    { id: 'vacuum.one', name: 'Dusty' },
    { id: 'vacuum.two', name: 'Rusty', room: 'Hall' },
  ];
  const both = ['vacuum.return_to_base vacuum.one', 'vacuum.return_to_base vacuum.two'];

  expect(await ask('stop the robots', { things })).toEqual(both);
  expect(await ask('stop all the vacuums', { things })).toEqual(both);
});

describe('blinds', () => {
  const blind = (state: string, value: number | null, more: Partial<Thing> = {}): Thing => ({
    ...{ id: 'cover.blind', name: 'Bedroom blind', room: 'Bedroom', deviceClass: 'blind', state },
    ...(value !== null && { setting: { unit: 'percent', value } }),
    ...more,
  });
  const gate: Thing = { id: 'cover.gate', name: 'Gate', deviceClass: 'gate', state: 'closed' };

  test.each([
    [50, 'raise the blinds a bit', 70],
    [50, 'lower the blinds a little', 30],
    [90, 'open the blinds by 20 percent', 100],
    [50, 'pull the blind down a bit more', 30],
  ])('at %s percent are moved by %j to %s', async (now, text, then) => {
    expect(await ask(text, { things: [blind('open', now), gate], room: 'Kitchen' })).toEqual([
      `cover.set_cover_position cover.blind ${then}`,
    ]);
  });

  test('that are closed open a bit', async () => {
    expect(await ask('open the blinds a bit', { things: [blind('closed', null), gate] })).toEqual([
      'cover.set_cover_position cover.blind 20',
    ]);
  });

  test('without a position do not move', async () => {
    expect(await ask('open the blinds a bit', { things: [blind('open', null)] })).toBeNull();
  });
});

test.each(['set the smart curtain up to eight', 'close the smart curtain by 20 percent'])(
  '%j has no clear number',
  async (text) => {
    expect(await ask(text)).toBeNull();
  },
);

describe('a thermostat', () => {
  const heating = (value: number): Thing[] => [
    { id: 'climate.hall', name: 'Thermostat', setting: { unit: 'degrees', value } },
  ];

  test.each([
    [20, 'warmer', 21],
    [20.5, 'cooler', 19.5],
    [20, 'turn up the heating by 3 degrees', 23],
    [20, 'make it two degrees warmer', 22],
    [20, 'make the room 1 degree cooler', 19],
    // These are Fahrenheit.
    [68, 'warmer', 70],
  ])('at %s degrees is changed by %j to %s', async (now, text, then) => {
    expect(await ask(text, { things: heating(now) })).toEqual([
      `climate.set_temperature climate.hall ${then}`,
    ]);
  });

  test.each([
    ['off', 'warmer', { heatingsOff: ['Thermostat'] }],
    ['off', 'cooler', 'The heating is off.'],
    // It is on, but reports no temperature.
    ['heat', 'warmer', 'I cannot do that with Thermostat.'],
  ])('that is %s and has no temperature does not change: %s', async (state, text, reply) => {
    const things = [{ id: 'climate.hall', name: 'Thermostat', state }];

    expect(await ask(text, { things })).toEqual(reply);
  });
});

describe('the lights of a room', () => {
  const lights = ['Ceiling', 'Floor lamp', 'String'].map((name, at) => ({
    ...{ id: `light.${at}`, name, room: 'Living Room' },
  }));

  test.each([
    'dim the light in the living room',
    'dim lights in the living room',
    'lower the living room lights',
    'brighten the lighting in the living room',
  ])('%j: all of the room', async (text) => {
    expect(await ask(text, { things: lights })).toHaveLength(3);
  });

  test('only one is a lamp by its name', async () => {
    expect(await ask('turn off the lamp in the living room', { things: lights })).toEqual([
      'light.turn_off light.1',
    ]);
  });
});

test('the resolver finds one of 3,000 things among many of one name', async () => {
  const things = Array.from({ length: 3_000 }, (_, at) => ({
    id: `light.lamp_${at}`,
    name: at % 10 === 0 ? 'Ceiling lamp' : `Lamp ${at}`,
    room: `Room ${at % 60}`,
  }));

  expect(await ask('turn on lamp 2999', { things })).toEqual(['light.turn_on light.lamp_2999']);
});
