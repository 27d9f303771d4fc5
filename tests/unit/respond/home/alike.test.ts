import { expect, test } from 'vitest';
import type { LastCommand } from '../../../../api/src/actions/last-command.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createSameNameQuestion } from '../../../../api/src/respond/home/same-name.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { nothing } from '../../../../api/src/respond/home/understand/understood.ts';
import { question } from '../../../support/skills.ts';

const { files } = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { words, reply } = loadSkill(files, 'home', homeShape);

/** Asks for one of several corner lights, each in a room. */
async function askFor(rooms: readonly (string | null)[]) {
  const noted: Parameters<LastCommand['note']>[1][] = [];
  const alike = createSameNameQuestion({
    house: { roomsOf: () => [...rooms] },
    ...{ words, reply },
    last: { note: async (_conversation, said) => void noted.push(said) },
  });
  const text = 'turn on the corner light';
  const said = { ...nothing, text, target: 'the corner light', bare: 'corner light', isNamed: true };
  return { text: (await alike(said, question(text)))?.text ?? null, noted };
}

test.each([
  [['Hall'], null],
  [
    ['Hall', 'Attic'],
    'There is more than one corner light, in the Hall and Attic. Please say in which room.',
  ],
  [
    ['Hall', 'Hall', null],
    'There is more than one corner light, and I cannot tell them apart. Please give them different names.',
  ],
])('things of one name in %j', async (rooms, text) => {
  expect((await askFor(rooms)).text).toBe(text);
});

test('ten things of one name are not listed, but a room chooses one', async () => {
  const { text, noted } = await askFor(Array.from({ length: 10 }, (_, at) => `Room ${at}`));

  expect(text).toBe('I do not know which room you mean. Please say it with the room.');
  expect(noted).toEqual([
    { target: 'the corner light', elsewhere: 'turn on the corner light in the {area}' },
  ]);
});
