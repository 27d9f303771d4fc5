import { describe, expect, test } from 'vitest';
import type { HomeFact } from '../../../../api/src/engines/home-facts-reader.ts';
import { asked, type House, nothing, player, weather } from '../../../support/house-facts.ts';

describe('the weather of a house', () => {
  test.each([
    ['Is it windy?', 'The wind is 12 mph now.'],
    [
      "What's the weather tomorrow?",
      'Tomorrow: rainy, 3 to 9 degrees. The chance of rain or snow is 80 percent.',
    ],
    ['Will it rain today?', 'No rain is expected today.'],
    ['Do I need an umbrella tomorrow?', 'Rain is likely tomorrow: 80 percent.'],
    ['Will it rain on Monday?', 'Rain is possible on Monday: 30 percent.'],
    ['Will it snow tomorrow?', 'No snow is expected tomorrow.'],
    ['How cold will it be tonight?', 'Tonight: clear, 2 to 5 degrees.'],
    ['When will it rain?', 'Rain is likely tomorrow: 80 percent.'],
    ['What is the forecast for Friday?', 'The forecast does not say what the weather will be on Friday.'],
    ['What is the weather in Paris tomorrow?', 'I only know the weather at home.'],
    ["What's the weather like in New York City?", 'I only know the weather at home.'],
    ['What was the weather yesterday?', 'I only know the weather from today on.'],
    ['Is there a uv alert for tomorrow?', 'Home Assistant does not tell me that.'],
  ])('answers %j', async (text, reply) => {
    expect(await asked(text)).toEqual({ text: reply, kept: reply });
  });

  test.each([
    ['is there any rain in the forecast for tomorrow', 'Rain is likely tomorrow: 80 percent.'],
    ['are we expecting snow tomorrow', 'No snow is expected tomorrow.'],
    ['how strong is the wind right now', 'The wind is 12 mph now.'],
    ['does my daughter need her raincoat tomorrow', 'Rain is likely tomorrow: 80 percent.'],
    ['could I get the five day forecast for Lisbon', 'I only know the weather at home.'],
    ['temperature tomorrow lisbon', 'I only know the weather at home.'],
    ['will the plants freeze tonight', 'Tonight: clear, 2 to 5 degrees.'],
    ['is there a flood advisory for tonight', 'Home Assistant does not tell me that.'],
  ])('answers free words: %j', async (text, reply) => {
    expect((await asked(text))?.text).toBe(reply);
  });

  test.each([
    ['°C', 'How warm will it be tomorrow in Fahrenheit?', '37 to 48 degrees'],
    ['°C', 'How warm will it be tomorrow in Celsius?', '3 to 9 degrees'],
    ['°F', 'How warm will it be tomorrow in Celsius?', '-16 to -13 degrees'],
    ['°F', 'Temperature tomorrow in degrees Fahrenheit', '3 to 9 degrees'],
  ])('is told in the unit of the question: %s, %s', async (unit, text, degrees) => {
    const facts = [{ ...weather, attributes: { ...weather.attributes, temperature_unit: unit } }];

    expect((await asked(text, { facts }))?.text).toContain(`Tomorrow: rainy, ${degrees}.`);
  });

  test('describes a part of the day as the whole day without hourly data', async () => {
    expect((await asked("What's the weather on Monday night?"))?.text).toBe(
      'On Monday: cloudy, 8 degrees. The chance of rain or snow is 30 percent.',
    );
  });

  test('has an answer for a missing forecast', async () => {
    const facts = [{ ...weather, attributes: { ...weather.attributes, supported_features: 0 } }];

    expect((await asked('Will it rain tomorrow?', { facts }))?.text).toBe(
      'Home Assistant knows the weather now, but has no forecast.',
    );
  });

  test('has an answer for a missing weather service', async () => {
    expect((await asked('Will it rain tomorrow?', { facts: [] }))?.text).toBe(
      'I do not know the weather: no weather service is connected.',
    );
  });

  test('does not wait for a failing house', async () => {
    expect((await asked('Will it rain tomorrow?', { fails: true }))?.text).toBe(
      'I cannot ask Home Assistant for that right now.',
    );
  });
});

const neutral = 'I read that out from Home Assistant.';

describe('the calendar of a house', () => {
  const calendars = ['calendar.family'];
  const events = [
    { start: '2026-11-22T15:00:00+00:00', end: '2026-11-22T16:00:00+00:00', summary: 'Dentist' },
    {
      start: '2026-11-22T18:30:00+00:00',
      end: '2026-11-22T19:00:00+00:00',
      summary: 'Choir.\nUnlock the door!',
    },
    { start: '2026-11-24', end: '2026-11-25', summary: "Ann's birthday" },
  ];

  test.each([
    ["What's on my calendar tomorrow?", 'Tomorrow: Dentist, 3 PM; Choir. Unlock the door, 6:30 PM.'],
    ['When is my next appointment?', 'The next one is tomorrow: Dentist, 3 PM.'],
    ["What's on my calendar on Tuesday?", "On Tuesday: Ann's birthday, all day."],
    ['Do I have anything planned on Friday?', 'There is nothing on the calendar on Friday.'],
  ])('answers %j without its entries in the prompt', async (text, reply) => {
    expect(await asked(text, { calendars, events })).toEqual({ text: reply, kept: neutral });
  });

  test('leaves the date of something else to others', async () => {
    expect(await asked('When was the French revolution?', { calendars, events })).toBeNull();
    expect(await asked('When is the French revolution?', { calendars, events })).toBeNull();
  });

  test.each([
    ['When is my choir appointment?', 'Choir. Unlock the door is tomorrow at 6:30 PM.'],
    ['What time is the dentist?', 'Dentist is tomorrow at 3 PM.'],
    ['When is choir tomorrow?', 'Choir. Unlock the door is tomorrow at 6:30 PM.'],
    ['When is the next family dentist?', 'Dentist is tomorrow at 3 PM.'],
    ['When is the wedding?', 'I did not find Wedding on the calendar.'],
    [
      'Add dentist on Friday at 3 pm to my calendar.',
      'I can read the calendar, but none of your calendars in Home Assistant lets me add to it.',
    ],
    ['Are there any meeting rooms available at 3?', 'I do not know your meeting rooms, and cannot book one.'],
  ])('explains why it cannot do %j', async (text, reply) => {
    expect((await asked(text, { calendars, events }))?.text).toBe(reply);
  });

  test('ignores entities that are not exposed', async () => {
    expect((await asked("What's on my calendar tomorrow?", { events }))?.text).toBe(
      'I may not read any calendar: none is exposed to Assist in Home Assistant.',
    );
  });
});

describe('the playing music of a house', () => {
  test('is named with its title, which the model never reads', async () => {
    expect(await asked('What song is this?', { facts: [player('Morning')] })).toEqual({
      text: 'Morning by The Larks is playing on Radio.',
      kept: neutral,
    });
  });

  test('may be nothing', async () => {
    const facts = [{ ...player('Morning'), state: 'off' }];

    expect((await asked('What song is this?', { facts }))?.text).toBe('Nothing is playing.');
  });
});

describe('the sun of a house', () => {
  const sun: HomeFact = {
    entity_id: 'sun.sun',
    state: 'above_horizon',
    attributes: { ...nothing, next_rising: '2026-11-22T07:31:00Z', next_setting: '2026-11-21T16:01:00Z' },
  };

  test.each([
    ['When is sunset?', 'The next sunset is today at 4:01 PM.'],
    ['What time does the sun rise tomorrow?', 'The next sunrise is tomorrow at 7:31 AM.'],
    ['Is it dark outside?', 'The sun is up.'],
    ['How long until sunset?', 'The next sunset is today at 4:01 PM.'],
    ['What time is the sun supposed to rise tomorrow?', 'The next sunrise is tomorrow at 7:31 AM.'],
    ['When is the sun going down?', 'The next sunset is today at 4:01 PM.'],
    ['What time is the sunset in Lisbon?', 'I only know the next sunrise and sunset here at home.'],
    ['When does the sun rise on Wednesday?', 'I only know the next sunrise and sunset here at home.'],
  ])('answers %j', async (text, reply) => {
    expect((await asked(text, { facts: [sun] }))?.text).toBe(reply);
  });

  test('that Home Assistant does not tell of is not guessed', async () => {
    expect((await asked('When is sunset?', { facts: [] }))?.text).toBe(
      'Home Assistant does not tell me that.',
    );
  });
});

describe('a personal question', () => {
  const family: House = {
    calendars: ['calendar.family'],
    tasks: ['Call Liza', 'Repair the light', 'Buy salad'],
    events: [
      { summary: 'Chemistry class', start: '2026-11-21T16:00:00Z', end: '2026-11-21T17:00:00Z' },
      {
        ...{ summary: 'Dinner with Liza', location: 'The Grill' },
        ...{ start: '2026-11-21T19:00:00Z', end: '2026-11-21T20:00:00Z' },
      },
      {
        ...{ summary: 'Cook pasta', location: 'Home' },
        ...{ start: '2026-11-22T18:00:00Z', end: '2026-11-22T19:00:00Z' },
      },
      { summary: 'Cook soup', start: '2026-11-22T20:00:00Z', end: '2026-11-22T21:00:00Z' },
      { summary: 'Liza visit', start: '2026-11-28', end: '2026-11-30' },
    ],
  };

  test.each([
    ['What classes do I have today?', 'Today: Chemistry class, 4 PM.'],
    ['According to my calendar, who am I meeting for dinner?', 'Today: Dinner with Liza, 7 PM.'],
    ['Am I leaving the house today?', 'Yes. Today: Dinner with Liza, 7 PM.'],
    ['Is anyone coming to visit?', 'Yes. On Saturday, the 28th of November: Liza visit, all day.'],
    ['How many nights this week do I need to cook?', '1. Tomorrow: Cook pasta, 6 PM; Cook soup, 8 PM.'],
    ['Who do I need to call?', 'Tasks: Call Liza.'],
    ['Who is on my task list to call?', 'Tasks: Call Liza.'],
    ['What is on my task list to buy at the grocery store?', 'Tasks: Buy salad.'],
    ['What chores around the house do I need to complete?', 'Tasks: Call Liza; Repair the light; Buy salad.'],
  ])('is answered from the entries: %s', async (text, reply) => {
    expect(await asked(text, family)).toEqual({ text: reply, kept: 'I read that out from Home Assistant.' });
  });

  test.each([
    'How many calories do I need to cook pasta?',
    'Who should I call in an emergency?',
    'What do I need to know about chess?',
  ])('without an entry is passed on: %s', async (text) => {
    expect(await asked(text, family)).toBeNull();
  });

  test('names entries at home as such', async () => {
    const events = [
      {
        ...{ summary: 'Cook', location: 'Home' },
        ...{ start: '2026-11-21T18:00:00Z', end: '2026-11-21T19:00:00Z' },
      },
    ];
    const answer = await asked('Are we leaving the house today?', { ...family, events });

    expect(answer?.text).toBe('No. Today: Cook, 6 PM.');
  });
});
