import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createDegreeLimits } from '../../../../api/src/respond/home/degree-limits.ts';
import { createHomeGrammar } from '../../../../api/src/respond/home/understand/home-grammar.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createWishGrammar } from '../../../../api/src/respond/home/understand/home-wishes.ts';
import { homeIntents } from '../../../../api/src/respond/home/understand/understood.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { sentencesOf, reply, words } = loadSkill(language.files, 'home', homeShape);
const grammar = createHomeGrammar({
  grammar: createWishGrammar(language, words),
  sentences: sentencesOf(homeIntents),
  words,
});

/** Checks a command for a thermostat with these limits. */
async function check(text: string, limits: { low: number; high: number } | undefined) {
  const outside = createDegreeLimits({
    client: {
      setting: async () => ({ unit: 'degrees', value: 20, ...(limits && { limits }) }),
    },
    house: { nameOf: () => 'Thermostat' },
    words,
    reply,
  });
  const [command] = grammar.read(text);
  if (command?.kind !== 'command') throw new Error(`not understood: ${text}`);
  const found = await outside(command, ['climate.hall'], question(text));
  return (
    found &&
    ('refusal' in found ? found.refusal : [found.value, found.order.call.service, found.confirmation])
  );
}

const [fahrenheit, celsius] = [
  { low: 45, high: 95 },
  { low: 7, high: 35 },
];

test.each([
  ['set the thermostat to 21 degrees celsius', fahrenheit, 70],
  ['set the heating to 20 degrees celsius', fahrenheit, 68],
  ['set the thermostat to 68 degrees fahrenheit', celsius, 20],
  ['set the thermostat to 70 degrees fahrenheit', celsius, 21],
])('%j is set in the scale of the thermostat', async (text, limits, value) => {
  expect(await check(text, limits)).toEqual([
    value,
    'climate.set_temperature',
    `Temperature set to ${value} degrees.`,
  ]);
});

test.each([
  ['set the thermostat to 21', fahrenheit, 'Thermostat takes 45 to 95 degrees.'],
  ['set the heating to 500 degrees', celsius, 'Thermostat takes 7 to 35 degrees.'],
  ['set the thermostat to 90 degrees celsius', celsius, 'Thermostat takes 7 to 35 degrees.'],
])('%j is refused with the limits', async (text, limits, refusal) => {
  expect(await check(text, limits)).toBe(refusal);
});

test.each([
  ['set the thermostat to 72', fahrenheit],
  ['set the thermostat to 68 degrees fahrenheit', fahrenheit],
  ['set the thermostat to 21 degrees celsius', celsius],
  ['set the thermostat to 21 degrees celsius', undefined],
])('%j stays as it was said', async (text, limits) => {
  expect(await check(text, limits)).toBeNull();
});
