import { expect, test } from 'vitest';
import type { HomeFact } from '../../../../api/src/engines/home-facts-reader.ts';
import type { RegistryEntry } from '../../../../api/src/engines/home-registry.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createHomeQuery } from '../../../../api/src/respond/home-query/home-query.ts';
import { now, question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });

interface Owned {
  name: string;
  area?: string;
  floor?: string;
  state?: string;
  device?: string;
  aliases?: string[];
  labels?: string[];
  attributes?: Record<string, unknown>;
  /** Minutes since its state changed. */
  minutes?: number;
}

const house: Record<string, Owned> = {
  'light.bed': { name: 'Bedroom Light', area: 'Bedroom', floor: 'Upstairs', state: 'on' },
  'light.sink': { name: 'Sink Light', area: 'Kitchen', state: 'off' },
  'light.ceiling': { name: 'Kitchen Ceiling', area: 'Kitchen', state: 'on', attributes: { brightness: 128 } },
  'light.dead': { name: 'Attic Lamp', area: 'Attic', state: 'unavailable' },
  'switch.plug': {
    name: 'Appliance Plug',
    area: 'Kitchen',
    state: 'off',
    attributes: { device_class: 'outlet' },
  },
  'sensor.plug': {
    ...{ name: 'Appliance Plug Energy', area: 'Kitchen', state: '1.2345' },
    attributes: { device_class: 'energy', unit_of_measurement: 'kWh' },
  },
  'lock.front': { name: 'Front Door', area: 'Hall', state: 'locked' },
  'lock.back': { name: 'Back Door', area: 'Kitchen', state: 'unlocked' },
  'valve.lawn': { name: 'Sprinklers', area: 'Garden', state: 'open', aliases: ['Lawn Irrigation'] },
  'binary_sensor.motion': {
    ...{ name: 'Hall Sensor', area: 'Hall', state: 'on', device: 'hall' },
    attributes: { device_class: 'motion' },
  },
  'sensor.motion': {
    ...{ name: 'Hall Sensor Battery', area: 'Hall', state: '15', device: 'hall' },
    attributes: { device_class: 'battery', unit_of_measurement: '%' },
  },
  'climate.bed': {
    ...{ name: 'Bedroom Thermostat', area: 'Bedroom', state: 'cool', device: 'thermostat' },
    attributes: { current_temperature: 25, temperature: 21 },
  },
  'sensor.bed': {
    ...{ name: 'Bedroom Thermostat Temperature', area: 'Bedroom', state: '25.2', device: 'thermostat' },
    attributes: { device_class: 'temperature', unit_of_measurement: '°C' },
  },
  'sensor.kitchen': {
    ...{ name: 'Stove Probe', area: 'Kitchen', state: '19.96', labels: ['Heaters'] },
    attributes: { device_class: 'temperature', unit_of_measurement: '°C' },
  },
  'person.anna': { name: 'Anna', state: 'home' },
  'media_player.tv': {
    ...{ name: 'Samsung', area: 'Lounge', state: 'playing' },
    attributes: {
      device_class: 'tv',
      volume_level: 0.35,
      media_title: 'Skylark.',
      media_artist: 'The Larks',
    },
  },
};

const entryOf = ({ area = '', floor, device, aliases = [], labels = [] }: Owned): RegistryEntry => ({
  ...{ aliases, area, device: device ?? null, marks: labels, maker: [] },
  places: [area, ...(floor === undefined ? [] : [floor])],
});

const none = { current_temperature: null, temperature: 21 };

const { words } = loadSkill(language.files, 'home', homeShape);

function open(owned: Record<string, Owned>, sun: HomeFact | null = null) {
  const exposed = new Map(Object.entries(owned).map(([id, each]) => [id, entryOf(each)]));
  const standing = new Map(
    Object.entries(owned).map(([id, { name, state = 'unknown', attributes, minutes }]) => [
      id,
      {
        ...{ state, attributes: { friendly_name: name, ...attributes } },
        changedAt: minutes === undefined ? null : now - minutes * 60_000,
      },
    ]),
  );
  const query = createHomeQuery({
    language,
    homeWords: words,
    house: {
      exposed: () => exposed,
      areaOf: (asked) => asked,
      places: () => [['Hall'], ['Garden Room', 'Conservatory']],
    },
    client: { standing: async () => standing, sun: async () => sun },
  });
  const asked = (text: string, room: string | null) => question(text, { ...(room !== null && { room }) });
  return {
    ask: (text: string, room: string | null = null) => query.answer(text, asked(text, room)),
    check: (text: string, room: string | null = null) => query.check([text], asked(text, room)),
    tellsOf: (name: string) => query.tellsOf(name, asked(name, null)),
  };
}
const { ask, check, tellsOf } = open(house);
const textOf = async (text: string, room: string | null = null) => (await ask(text, room))?.text ?? null;

test.each([
  // A state of one entity, by its name, kind and place.
  ['Is the bedroom light on?', 'Yes, Bedroom Light is on.'],
  ['Is the bedroom light off?', 'No, Bedroom Light is on.'],
  ['Is the bedroom light on? Please answer "yes" or "no".', 'Yes, Bedroom Light is on.'],
  ['Please tell me, is the plug in the kitchen on?', 'No, Appliance Plug is off.'],
  ['Can you check whether the kitchen plug is on', 'No, Appliance Plug is off.'],
  ['Are the sprinklers on?', 'Yes, Sprinklers is open.'],
  ['Are the sprinklers on as well?', 'Yes, Sprinklers is open.'],
  ['Is the bedroom light on too?', 'Yes, Bedroom Light is on.'],
  ['Who is home?', 'Anna.'],
  ['Did the front door lock?', 'Yes, Front Door is locked.'],
  ['Is the lawn irrigation open?', 'Yes, Sprinklers is open.'],
  ['Is the tv playing, paused or stopped?', 'Samsung is playing.'],
  ['What is the state of the front door?', 'Front Door is locked.'],
  ['Is there motion in the hall?', 'Yes, Hall Sensor is on.'],
  ['Is anybody in the hall?', 'Yes, Hall Sensor is on.'],
  ['Is there someone in the hall', 'Yes, Hall Sensor is on.'],
  ['Is anyone in the house?', 'Yes, Anna is home.'],
  ['Is anybody in the garden room?', 'I cannot tell, because no sensor reports that there.'],
  ['Is there motion in the conservatory?', 'I cannot tell, because no sensor reports that there.'],
  ['Is there motion in the ocean?', null],
  // The word is a state too.
  ['Is the heating on?', 'Yes, Bedroom Thermostat is set to cool.'],
  ['Is the heating off in the bedroom?', 'No, Bedroom Thermostat is set to cool.'],
  // Several entities.
  ['Are all the doors locked?', 'No, Front Door is locked and Back Door is unlocked.'],
  ['Are any doors unlocked?', 'Yes, Back Door is unlocked.'],
  ['Are the kitchen lights on?', 'No, Sink Light is off and Kitchen Ceiling is on.'],
  [
    'How many lights are currently on?',
    '2: Bedroom Light and Kitchen Ceiling. Attic Lamp is not responding.',
  ],
  ['Which lights are on upstairs?', 'Bedroom Light.'],
  ['Which doors are unlocked?', 'Back Door.'],
  ['How many lights are there in the kitchen?', '2: Sink Light and Kitchen Ceiling.'],
  ['Is the attic lamp on?', 'Attic Lamp is not responding.'],
  // Measures.
  ['What is the battery level of the hall sensor?', 'Hall Sensor Battery is 15%.'],
  ["What's the hall sensor battery level", 'Hall Sensor Battery is 15%.'],
  ['Is the hall sensor battery low?', 'Yes, Hall Sensor Battery is 15%.'],
  ['What is the temperature in the bedroom?', 'The temperature in the Bedroom is 25.2 °C.'],
  ['How warm is the kitchen?', 'The temperature in the Kitchen is 20 °C.'],
  ['Is the kitchen warmer than 22 degrees?', 'No, the temperature in the Kitchen is 20 °C.'],
  ['Which room is the warmest?', 'Bedroom Thermostat Temperature is 25.2 °C.'],
  ['What is the average temperature?', 'The average temperature is 22.6 °C.'],
  ['What is the bedroom thermostat set to?', 'The target temperature of Bedroom Thermostat is 21°.'],
  ['How bright is the kitchen ceiling?', 'The brightness of Kitchen Ceiling is 50%.'],
  ['How much energy does the kitchen plug use?', 'Appliance Plug Energy is 1.2 kWh.'],
  ['How high is the battery of the hall sensor?', 'Hall Sensor Battery is 15%.'],
  ['How loud is the TV?', 'The volume of Samsung is 35%.'],
  ['What is playing on the TV?', 'Samsung is playing Skylark by The Larks.'],
  ['Is everything in the kitchen off?', 'No, Kitchen Ceiling is on.'],
  ['Is anything on in the kitchen?', 'Yes, Kitchen Ceiling is on.'],
  // Several subjects or states.
  [
    'Is the bedroom light on and the front door locked?',
    'Yes, Bedroom Light is on and Front Door is locked.',
  ],
  [
    'Is the bedroom light off and is the front door locked?',
    'No, Bedroom Light is on and Front Door is locked.',
  ],
  ['Are the front door and the back door locked?', 'No, Front Door is locked and Back Door is unlocked.'],
  ['Are the bedroom light and the sprinklers on?', 'Yes, Bedroom Light is on and Sprinklers is open.'],
  [
    'Are the kitchen and bedroom lights on?',
    'No, Sink Light is off and Kitchen Ceiling and Bedroom Light are on.',
  ],
  // A deed leads to a state.
  ['Did I lock the front door?', 'Yes, Front Door is locked.'],
  ['Did we lock the back door?', 'No, Back Door is unlocked.'],
  ['Did I leave the kitchen ceiling on?', 'Yes, Kitchen Ceiling is on.'],
  ['Did I leave the kitchen lights on?', 'Yes, Kitchen Ceiling is on.'],
  ['Did we forget the doors unlocked?', 'Yes, Back Door is unlocked.'],
  ['Did you turn off the bedroom light?', 'No, Bedroom Light is on.'],
  ['Did I lock the car?', null],
  // All of a kind or in a place.
  ['Which lights are there in the kitchen?', 'Sink Light and Kitchen Ceiling.'],
  ['What locks do I have?', 'Front Door and Back Door.'],
  ['Which devices are in the kitchen?', 'Sink Light, Kitchen Ceiling, Appliance Plug and Back Door.'],
  ['What planets are there?', null],
  ['Which rooms have lights on?', 'Bedroom and Kitchen. Attic Lamp is not responding.'],
  ['In which rooms are lights off?', 'Kitchen. Attic Lamp is not responding.'],
  // A place.
  ['Where is Anna?', 'Anna is home.'],
  ['Please check that the front door is locked.', 'Yes, Front Door is locked.'],
  [
    'What temperature is the bedroom thermostat set to?',
    'The target temperature of Bedroom Thermostat is 21°.',
  ],
  ['Where is the front door?', null],
  ['What is on TV?', 'Samsung is playing Skylark by The Larks.'],
  // An adjective asks for its measure.
  ['Is it warm in the kitchen?', 'The temperature in the Kitchen is 20 °C.'],
  ['Is the kitchen cold?', 'The temperature in the Kitchen is 20 °C.'],
  ['Is the TV loud?', 'The volume of Samsung is 35%.'],
  ['Is Paris warm?', null],
  ['Is the front door warm?', null],
  // The part of a question that the house answers.
  [
    'Are the sprinklers open and locked?',
    'Sprinklers is open. I could not find out the rest from your home.',
  ],
  ['What are the doors doing?', 'Front Door is locked and Back Door is unlocked.'],
  // The past.
  ['Was the front door locked last night?', 'I only know how your home is now, and not what happened in it.'],
  ['Did the front door open today?', 'I only know how your home is now, and not what happened in it.'],
  ['When did the front door open?', 'I only know how your home is now, and not what happened in it.'],
  ['Did I lock the front door last night?', 'I only know how your home is now, and not what happened in it.'],
  ['Was Napoleon tall?', null],
  // Not about this house.
  ['What is a thermostat?', null],
  ['Is the porch light on?', null],
  ['If the bedroom light is on', null],
  ['How warm is Paris?', null],
  ['Turn on the bedroom light', null],
  ['What is on my shopping list?', null],
])('the skill answers "%s"', async (text, answer) => {
  expect(await textOf(text)).toBe(answer);
});

test('the skill prefers the room of the question', async () => {
  expect(await textOf('are the lights on', 'Bedroom')).toBe('Yes, Bedroom Light is on.');
  expect(await textOf('what is the temperature', 'Kitchen')).toBe('The temperature in the Kitchen is 20 °C.');
});

test('the skill keeps titles out of the conversation', async () => {
  expect(await ask('what is playing on the tv')).toMatchObject({
    kept: 'I read that out from Home Assistant.',
  });
});

test('the skill distinguishes an empty house from one without people to ask about', async () => {
  const owned = {
    'lock.shed': { name: 'Shed', area: 'Garden', state: 'locked' },
    'binary_sensor.camera_person': { name: 'Camera Person', area: 'Garden', state: 'off' },
  };

  expect(await open(owned).ask('Is anyone home?')).toMatchObject({
    text: 'No person is exposed to Assist in Home Assistant, so I cannot tell who is home.',
  });
  expect(await open(owned).ask('Who is home?')).toEqual(await open(owned).ask('Is anyone home?'));
  expect(await open(owned).ask('Did anyone open the gate?')).toBeNull();
  expect(await open(owned).ask('Who is Anna?')).toBeNull();
  expect(await ask('Who turned on the bedroom light?')).toBeNull();
});

test('the skill says that a value is unknown', async () => {
  const owned = { 'lock.shed': { name: 'Shed', area: 'Garden', state: 'unknown' } };
  expect(await open(owned).ask('is the shed locked')).toMatchObject({ text: 'Shed has no value right now.' });
});

test.each([
  ['the bedroom light is on', true, 'Bedroom Light is on'],
  ['the bedroom light is not on', false, 'Bedroom Light is on'],
  ["the front door isn't unlocked", true, 'Front Door is locked'],
  ['the kitchen is above 18', true, 'the temperature in the Kitchen is 20 °C'],
  ['the kitchen is warmer than 25 degrees', false, 'the temperature in the Kitchen is 20 °C'],
  ['it is below 18', false, 'the temperature in the Bedroom is 25.2 °C', 'Bedroom'],
  // All of several, or any.
  ['the kitchen lights are on', false, 'Sink Light is off and Kitchen Ceiling is on'],
  ['any kitchen light is on', true, 'Kitchen Ceiling is on'],
  ['there is motion in the hall', true, 'Hall Sensor is on'],
  ['the doors are not locked', false, 'Front Door is locked and Back Door is unlocked'],
  ['anyone is home', true, 'Anna is home'],
  ['nobody is home', false, 'Anna is home'],
  [
    'the bedroom light is on and the front door is locked',
    true,
    'Bedroom Light is on and Front Door is locked',
  ],
  [
    'the bedroom light is on and the back door is locked',
    false,
    'Bedroom Light is on and Back Door is unlocked',
  ],
  ['the front door is locked and the moon is full', null, ''],
  // The states do not show it.
  ['the attic lamp is on', null, ''],
  ['the porch light is on', null, ''],
  ['I am tired', null, ''],
  ['it is warmer than 20 outside', null, ''],
])('the skill tests "%s": %s', async (text, holds, clauses, room = '') => {
  expect(await check(text, room || null)).toEqual({ holds, clauses });
});

test('the skill names only the exceptions among many', async () => {
  const lamps = ['One', 'Two', 'Three', 'Four'].map((name, at): [string, Owned] => [
    `light.${name}`,
    { name, area: 'Hall', state: at === 1 ? 'on' : 'off' },
  ]);
  expect(await open(Object.fromEntries(lamps)).ask('are all the lights off')).toMatchObject({
    text: 'No, Two is on.',
  });
});

test('the skill looks in the whole house for a plural in "which"', async () => {
  expect(await textOf('which lights are on', 'Bedroom')).toMatch(/^Bedroom Light and Kitchen Ceiling\./);
});

test('tells rooms apart by a name that ends in a small word', async () => {
  const lights = open({
    'light.a': { name: 'Ceiling', area: 'Meeting Room A', state: 'off' },
    'light.b': { name: 'Spots', area: 'Meeting Room B', state: 'on' },
  });

  expect(await lights.ask('are the lights on in meeting room A')).toMatchObject({
    text: 'No, Ceiling is off.',
  });
  expect(await lights.ask('are the lights on in meeting room b')).toMatchObject({
    text: 'Yes, Spots is on.',
  });
});

test.each([
  ['when did the garage door open', 'Garage Door has been open for 5 minutes.'],
  ['how long has the garage door been open', 'Garage Door has been open for 5 minutes.'],
  ['when was the garage door last closed', 'Garage Door has been open for 5 minutes.'],
  ['since when is the porch lamp on', 'Porch Lamp has been off for 3 days.'],
  ['when did I turn off the porch lamp', 'Porch Lamp has been off for 3 days.'],
  // Home Assistant started then.
  ['since when is the heater on', 'Heater has been on for at least 9 days.'],
  ['when did the cellar door open', null],
  ['when did the war begin', null],
  ['how long is the garage', null],
])('%j: %j', async (text, reply) => {
  const { ask: askThere } = open({
    'cover.garage': {
      ...{ name: 'Garage Door', area: 'Garage', state: 'open', minutes: 5 },
      attributes: { device_class: 'garage' },
    },
    'light.porch': { name: 'Porch Lamp', area: 'Porch', state: 'off', minutes: 3 * 24 * 60 + 7 },
    'switch.heater': { name: 'Heater', area: 'Office', state: 'on', minutes: 9 * 24 * 60 },
  });

  expect((await askThere(text))?.text ?? null).toBe(reply);
});

test.each([
  [
    "what's on?",
    'Bedroom Light, Kitchen Ceiling, Sprinklers, Bedroom Thermostat and Samsung. Attic Lamp is not responding.',
  ],
  ['What is running right now?', 'Sprinklers and Samsung.'],
  ['what is open', 'Sprinklers.'],
  ['what is up', null],
])('of everything, %j: %j', async (text, reply) => {
  expect(await textOf(text)).toBe(reply);
});

test.each([
  ['hall sensor', true],
  ['stove probe', true],
  ['plug energy', true],
  ['hall window', false],
])('knows whether the house tells about a thing: %s', async (name, isTold) => {
  expect(await tellsOf(name)).toBe(isTold);
});

const battery = { device_class: 'battery', unit_of_measurement: '%' };

test.each([
  ['How far open is the awning?', 'Terrace awning is 40% open.'],
  ['How far are the blinds open', 'Bedroom blinds is 100% open.'],
  ['Is the awning fully open?', 'No, Terrace awning is 40% open.'],
  ['Is the awning half open?', 'Yes, Terrace awning is 40% open.'],
  ['Which blinds are fully open?', 'Bedroom blinds.'],
  // It has no position.
  ['How wide open is the garage door?', 'Garage door is closed.'],
  ['Is the garage door half open?', 'Garage door is closed.'],
  ['Is the valve half open?', 'No, Garden valve is closed.'],
  ['How far is the garage?', null],
  ['Does the front door need a new battery?', 'Yes, Front door battery is 9%.'],
  ['Does the garage door need a new battery?', 'I cannot tell, because no sensor reports that there.'],
  ['Does the study window need a new battery', 'No, Study window battery is 80%.'],
  ['Do any batteries need replacing?', 'Yes, Front door battery is 9% and Remote battery is low.'],
  ['Which batteries are low?', 'Front door battery and Remote battery.'],
  ['What needs new batteries?', 'Front door battery and Remote battery.'],
  ['Which devices have a low battery?', 'Front door battery and Remote battery.'],
  ['Do I need to change any batteries?', 'Yes, Front door battery is 9% and Remote battery is low.'],
  // By the device of the lock.
  ['Is the battery of the front door lock okay?', 'No, Front door battery is 9%.'],
  ['Does the garage need a new roof?', null],
  ['Does the front door need more than 20 minutes?', null],
  ['Which garage doors in the garage need to be changed?', null],
])('of positions and batteries, %j: %j', async (text, reply) => {
  const { ask: asked } = open({
    'cover.awning': {
      ...{ name: 'Terrace awning', area: 'Terrace', state: 'open' },
      attributes: { device_class: 'awning', current_position: 40 },
    },
    'cover.blind': {
      ...{ name: 'Bedroom blinds', area: 'Bedroom', state: 'open' },
      attributes: { device_class: 'blind', current_position: 100 },
    },
    'cover.garage': {
      ...{ name: 'Garage door', area: 'Garage', state: 'closed' },
      attributes: { device_class: 'garage' },
    },
    'valve.garden': {
      ...{ name: 'Garden valve', area: 'Garden', state: 'closed' },
      attributes: { current_position: 0 },
    },
    'lock.front': { name: 'Front door', area: 'Hall', state: 'locked', device: 'lock' },
    'sensor.front': {
      ...{ name: 'Front door battery', area: 'Hall', state: '9', device: 'lock' },
      attributes: battery,
    },
    'sensor.window': { name: 'Study window battery', area: 'Study', state: '80', attributes: battery },
    'binary_sensor.remote': {
      ...{ name: 'Remote battery', area: 'Lounge', state: 'on' },
      attributes: { device_class: 'battery' },
    },
  });

  expect((await asked(text))?.text ?? null).toBe(reply);
});

test('a word of another room’s name does not describe a thing', async () => {
  const { ask: asked } = open({
    'lock.yale': { name: 'Yale front door', area: 'Hallway', state: 'locked' },
    'lock.gate': { name: 'Side gate', area: 'Front Yard', state: 'unlocked' },
  });

  expect((await asked('Is the front door locked?'))?.text).toBe('Yes, Yale front door is locked.');
  expect((await asked('Is the front yard gate locked?'))?.text).toBe('No, Side gate is unlocked.');
});

test('machines tell the step that they are at', async () => {
  const enums = { attributes: { device_class: 'enum' } };
  const { ask: asked } = open({
    'sensor.washer': { ...enums, name: 'Washing machine', area: 'Laundry', state: 'rinsing' },
    'sensor.dishwasher': { ...enums, name: 'Dishwasher', area: 'Kitchen', state: 'finished' },
    'media_player.beam': { name: 'Soundbar', area: 'Lounge', state: 'playing' },
    'switch.pump': { name: 'Pool pump', state: 'on' },
    'light.hall': { name: 'Hall light', state: 'on' },
  });

  expect((await asked('Is the washing machine still running?'))?.text).toBe(
    'Yes, Washing machine is rinsing.',
  );
  expect((await asked('Is the dishwasher done?'))?.text).toBe('Yes, Dishwasher is finished.');
  expect((await asked("What's running?"))?.text).toBe('Washing machine, Soundbar and Pool pump.');
});

test.each(["Is Emma's nightlight on?", 'Is emmas nightlight on?', 'Is Emma’s nightlight on?'])(
  'names are compared without apostrophes: %j',
  async (text) => {
    const { ask: asking } = open({ 'light.emma': { name: "Emma's Nightlight", state: 'on' } });

    expect((await asking(text))?.text).toBe("Yes, Emma's Nightlight is on.");
  },
);

test('a thermostat without a temperature says nothing about a room with a sensor', async () => {
  const { check: checking, ask: asking } = open({
    'climate.bed': { name: 'Bedroom thermostat', area: 'Bedroom', state: 'heat', attributes: none },
    'sensor.bed': {
      ...{ name: 'Bedroom temperature', area: 'Bedroom', state: '24' },
      attributes: { device_class: 'temperature', unit_of_measurement: '°C' },
    },
  });

  expect(await checking('it is above 23 degrees in the bedroom')).toEqual({
    holds: true,
    clauses: expect.not.stringContaining('thermostat'),
  });
  expect((await asking('how warm is it in the bedroom?'))?.text).not.toContain('thermostat');
});

test.each(['Is anyone home?', 'Is anybody home?', 'Is someone home?', 'Is somebody home?'])(
  'one person at home is enough: %s',
  async (text) => {
    const { ask: asking } = open({
      'person.anna': { name: 'Anna', state: 'home' },
      'person.tom': { name: 'Tom', state: 'not_home' },
    });

    expect((await asking(text))?.text).toBe('Yes, Anna is home.');
  },
);

test.each([
  ["it's dark outside", 'below_horizon', { holds: true, clauses: 'the sun is down' }],
  ['it is dark', 'above_horizon', { holds: false, clauses: 'the sun is up' }],
  ['it is still light', 'above_horizon', { holds: true, clauses: 'the sun is up' }],
  ['the sun is up', 'below_horizon', { holds: false, clauses: 'the sun is down' }],
  ['it is raining', 'below_horizon', { holds: null, clauses: '' }],
])('the sun decides whether %s: %s', async (text, state, checked) => {
  const { check: checking } = open(house, {
    entity_id: 'sun.sun',
    state,
    attributes: { friendly_name: 'Sun', supported_features: 0 },
  });

  expect(await checking(text)).toEqual(checked);
});

test('without a sun in the house, it does not decide', async () => {
  expect(await check('it is dark')).toEqual({ holds: null, clauses: '' });
});

test('right after the start of Home Assistant, the age of a state is left out', async () => {
  const { ask: asking } = open({
    'lock.front': { name: 'Front door', state: 'locked', minutes: 0 },
  });

  expect((await asking('How long has the front door been locked?'))?.text).toBe('Front door is locked.');
});
