import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HomeFact } from '../../../../api/src/engines/home-facts-reader.ts';
import { houseWith, nothing, player, weather } from '../../../support/house-facts.ts';

const sun: HomeFact = {
  entity_id: 'sun.sun',
  state: 'above_horizon',
  attributes: { ...nothing, next_rising: '2026-11-22T07:31:00Z', next_setting: '2026-11-21T16:01:00Z' },
};
const house = {
  facts: [
    { ...weather, attributes: { ...weather.attributes, wind_speed_unit: 'km/h' } },
    sun,
    player('Morning'),
  ],
  calendars: ['calendar.family'],
  events: [
    { start: '2026-11-22T15:00:00+00:00', end: '2026-11-22T16:00:00+00:00', summary: 'Dentist' },
    { start: '2026-11-24', end: '2026-11-25', summary: 'Holiday' },
  ],
};

const file = new URL('../../../sentences/home-facts-languages.yaml', import.meta.url);
const languages = z
  .record(
    z.string(),
    z.strictObject({ answers: z.record(z.string(), z.string()), none: z.array(z.string()) }),
  )
  .parse(load(readFileSync(file, 'utf8')));

describe.each(Object.entries(languages))('in the language %s', (tag, { answers, none }) => {
  const ask = houseWith({ ...house, tag });

  test.each(Object.entries(answers))('"%s" is answered from the house', async (text, reply) => {
    expect((await ask(text))?.text).toBe(reply);
  });

  test('the model never reads the names of appointments and titles', async () => {
    const kept = await Promise.all(Object.keys(answers).map(async (text) => (await ask(text))?.kept));

    expect(kept.filter((each) => /Dentist|Morning/.test(each ?? ''))).toEqual([]);
  });

  test('questions that need no house are left to others', async () => {
    const taken: string[] = [];
    for (const text of none) if (await ask(text)) taken.push(text);

    expect(taken).toEqual([]);
  });
});
