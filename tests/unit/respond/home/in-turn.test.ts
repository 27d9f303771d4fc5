import { expect, test } from 'vitest';
import type { HomeSetting } from '../../../../api/src/engines/home-setting.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { homeShape } from '../../../../api/src/respond/home/home-shape.ts';
import { createInTurn } from '../../../../api/src/respond/home/in-turn.ts';
import { nothing } from '../../../../api/src/respond/home/understood.ts';
import { loadSkill } from '../../../../api/src/respond/skills/skill-language.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { reply } = loadSkill(language.files, 'home', homeShape);

/** What becomes of "warmer" by so many degrees where a thermostat is set to something. */
async function warmer(setting: HomeSetting | null, { by, isUsual }: { by: number; isUsual: boolean }) {
  const inTurn = createInTurn({
    client: {
      light: async () => null,
      setting: async () => setting,
      readings: async (texts) =>
        texts.map(() => ({
          intent: 'HassClimateSetTemperature',
          slots: ['name', 'temperature'],
          targets: ['climate.hall'],
          isOwn: false,
          onlyReads: false,
        })),
    },
    house: { thingsIn: () => [{ id: 'climate.hall', name: 'Thermostat', aliases: [] }] },
    sentenceFor: { roomOf: () => null },
    reply,
  });
  const each = { domains: ['climate'], name: null, by, isUsual, isOne: false, calledWith: null };
  const command = {
    ...nothing,
    intent: 'warmer',
    each: { ...each, text: 'set {name} to {value}', isOneOf: false, isOfRoom: false },
  };
  return await inTurn(command, question('warmer'));
}

const degrees = (value: number): HomeSetting => ({ unit: 'degrees', value });

test.each([
  [20, { by: 1, isUsual: true }, '21'],
  [20.5, { by: -1, isUsual: true }, '19.5'],
  [20, { by: 3, isUsual: false }, '23'],
  // These are Fahrenheit.
  [68, { by: 1, isUsual: true }, '70'],
  [68, { by: 1, isUsual: false }, '69'],
])('a heating at %s degrees is changed by %j to %s', async (now, by, then) => {
  expect(await warmer(degrees(now), by)).toEqual({
    texts: [`set Thermostat to ${then}`],
    told: `Temperature set to ${then} degrees.`,
    refusal: null,
  });
});

test('a heating that is off stays so, and that is said', async () => {
  expect(await warmer(null, { by: 1, isUsual: true })).toEqual({
    texts: [],
    told: null,
    refusal: 'The heating is off.',
  });
});
