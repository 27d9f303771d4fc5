import { expect, test } from 'vitest';
import type { HomeSetting } from '../../../../api/src/engines/home-setting.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { homeShape } from '../../../../api/src/respond/home/home-shape.ts';
import { createInTurn } from '../../../../api/src/respond/home/in-turn.ts';
import { nothing } from '../../../../api/src/respond/home/understood.ts';
import { loadSkill } from '../../../../api/src/respond/skills/skill-language.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { reply, words } = loadSkill(language.files, 'home', homeShape);

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
    house: { thingsIn: () => [{ id: 'climate.hall', name: 'Thermostat', aliases: [] }], roomOf: () => null },
    sentenceFor: { roomOf: () => null },
    reply,
    words,
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

interface Lock {
  id: string;
  name: string;
  aliases?: string[];
  room?: string;
}

/** What becomes of "lock all the locks". Like Home Assistant, the house reads a name as all things that have it, unless a room is said. */
async function lockAll(locks: readonly Lock[]) {
  const isCalled = (text: string, { name, aliases = [], room }: Lock) =>
    [name, ...aliases].some(
      (each) => text === `lock the ${each}` || text === `lock the ${each} in the ${room}`,
    );
  const inTurn = createInTurn({
    client: {
      light: async () => null,
      setting: async () => null,
      readings: async (texts) =>
        texts.map((text) => ({
          intent: 'HassTurnOn',
          slots: ['name'],
          targets: locks.filter((lock) => isCalled(text, lock)).map(({ id }) => id),
          isOwn: false,
          onlyReads: false,
        })),
    },
    house: {
      thingsIn: () => locks.map(({ id, name, aliases = [] }) => ({ id, name, aliases })),
      roomOf: (id) => locks.find((lock) => lock.id === id)?.room ?? null,
    },
    sentenceFor: { roomOf: () => null },
    reply,
    words,
  });
  const each = { domains: ['lock'], name: null, by: null, isUsual: true, isOne: false, calledWith: null };
  const command = {
    ...nothing,
    intent: 'lock',
    isEverywhere: true,
    each: { ...each, text: 'lock the {name}', isOneOf: false, isOfRoom: true },
  };
  return await inTurn(command, question('lock all the locks'));
}

test('locks of one name are each reached by another name or by their room', async () => {
  const turns = await lockAll([
    { id: 'lock.front', name: 'Door', room: 'Hall' },
    { id: 'lock.back', name: 'Door', room: 'Kitchen' },
    { id: 'lock.side', name: 'Door', aliases: ['Side door'] },
  ]);

  expect(turns?.texts).toEqual([
    'lock the Door in the Hall',
    'lock the Door in the Kitchen',
    'lock the Side door',
  ]);
  expect(turns?.told).toMatch(/^(Okay|Done)\.$/);
});

test('a lock that cannot be told from another is named as left out', async () => {
  const turns = await lockAll([
    { id: 'lock.front', name: 'Door' },
    { id: 'lock.back', name: 'Door' },
    { id: 'lock.gate', name: 'Gate' },
  ]);

  expect(turns?.texts).toEqual(['lock the Gate']);
  expect(turns?.told).toMatch(/^(Okay|Done)\. But I left out Door: there is more than one of that name\.$/);
});

test('where all have one name, nothing is done and it is said', async () => {
  const turns = await lockAll([
    { id: 'lock.front', name: 'Door' },
    { id: 'lock.back', name: 'Door' },
  ]);

  expect(turns).toEqual({
    texts: [],
    told: null,
    refusal: 'There is more than one Door, and I cannot tell them apart. Please give them different names.',
  });
});
