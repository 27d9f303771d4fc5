import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import type { PendingQuestion } from '../../../../api/src/respond/core/household-questions.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createWishGrammar } from '../../../../api/src/respond/home/understand/home-wishes.ts';
import { createWhichThing } from '../../../../api/src/respond/home/which-thing.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { reply, words } = loadSkill(language.files, 'home', homeShape);
const { readWords, choose } = createWishGrammar(language, words);

interface Thing {
  id: string;
  name: string;
  room?: string;
}

/** Asks which of these is meant, and returns the question and the reader of its answer. */
async function asking(things: readonly Thing[]) {
  let noted: PendingQuestion | null = null;
  const which = createWhichThing({
    pendingQuestions: {
      note: async (_turn, asked) => {
        noted = asked;
      },
      last: async () => noted,
    },
    house: { roomOf: (id) => things.find((thing) => thing.id === id)?.room ?? null },
    index: { find: () => [] },
    words,
    readWords,
    choose,
    reply,
  });
  const { text } = await which.ask('turn on the pump', things, question('turn on the pump'));
  const exchanges = [{ user: 'turn on the pump', assistant: text, turn: 'before' }];
  return { text, answer: (answer: string) => which.chosen(question(answer, {}, exchanges)) };
}

const pump = (id: string, room?: string) => ({ id, name: 'Pump', ...(room === undefined ? {} : { room }) });

describe('the question', () => {
  test('gives the names', async () => {
    const things = ['Desk lamp', 'Floor lamp', 'Old lamp'].map((name) => ({ id: name, name }));
    expect((await asking(things)).text).toBe('Which one: Desk lamp, Floor lamp or Old lamp?');
  });

  test('distinguishes things of one name by their rooms', async () => {
    const { text, answer } = await asking([pump('one', 'Hall'), pump('two', 'Cellar')]);

    expect(text).toBe('Which one: Pump in the Hall or Pump in the Cellar?');
    expect((await answer('the one in the cellar'))?.things).toEqual([{ id: 'two', name: 'Pump' }]);
  });

  test('is not asked if the rooms do not distinguish them', async () => {
    const { text, answer } = await asking([pump('one'), pump('two')]);

    expect(text).toMatch(/^There is more than one Pump, and I cannot tell them apart/);
    expect(await answer('the first one')).toBeNull();
  });
});

describe('the answer', () => {
  const lamps = ['Desk lamp', 'Floor lamp', 'Old floor lamp'].map((name) => ({ id: name, name }));

  test.each([
    ['the desk lamp', ['Desk lamp'], false],
    ['Desk.', ['Desk lamp'], false],
    ['the old one please', ['Old floor lamp'], false],
    ['the last one', ['Old floor lamp'], false],
    ['I meant the second', ['Floor lamp'], false],
    ['both floor lamps', [], false],
    ['the floor lamp', ['Floor lamp'], false],
    ['a floor one', ['Floor lamp', 'Old floor lamp'], true],
    ['all of them', ['Desk lamp', 'Floor lamp', 'Old floor lamp'], false],
    ['the fourth', [], false],
    ['what is a desk lamp', [], false],
    ['one', [], false],
    ['please', [], false],
    ['', [], false],
  ])('%j chooses %j, unclear: %s', async (text, ids, isUnclear) => {
    const { answer } = await asking(lamps);
    const chosen = await answer(text);

    expect(chosen?.things.map(({ id }) => id) ?? []).toEqual(ids);
    expect(chosen?.isUnclear ?? false).toBe(isUnclear);
  });
});
