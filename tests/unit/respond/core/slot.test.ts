import { describe, expect, test } from 'vitest';
import { createWordReader } from '../../../../api/src/language/grammar/words.ts';
import { defineSkill, intentsOf } from '../../../../api/src/respond/core/skill.ts';
import { readBy, type Slot, type SlotValues, textIn } from '../../../../api/src/respond/core/slot.ts';
import { question } from '../../../support/skills.ts';

const readWords = createWordReader({ spellings: {}, fillers: [], abbreviations: [] });

/** The first of these words, if it is a number. */
const count = readBy(
  (words, from) => {
    const value = Number(words[from]?.word);
    return Number.isNaN(value) ? null : { value, end: from + 1 };
  },
  'count',
  'more',
);

/** The slots of an intent, as read from these words. */
async function told<S extends Record<string, Slot<unknown>>>(slots: S, words: Record<string, string>) {
  const text = Object.values(words).join(' ');
  const intents = { say: intentsOf().tells((_ask, said) => JSON.stringify(said)) };
  const skill = defineSkill({ name: 'one', sentencesOf: () => ({}), slots, intents });
  const filled = new Map(
    readWords(text).flatMap((word) =>
      Object.entries(words).flatMap(([name, each]) => (each === word.word ? [[name, [word]] as const] : [])),
    ),
  );
  return JSON.parse(String(await skill.intents['say']?.answer(question(text), filled)));
}

describe('the slots of a skill', () => {
  test('are each read by their reader, and null if omitted', async () => {
    const said = await told({ count, name: textIn(), room: textIn() }, { count: '5', name: 'pasta' });

    expect(said).toEqual({ count: 5, name: 'pasta', room: null });
  });

  test('are read under any of their names', async () => {
    expect(await told({ count }, { more: '7' })).toEqual({ count: 7 });
  });

  test('are null if their words have no such meaning', async () => {
    expect(await told({ count }, { count: 'pasta' })).toEqual({ count: null });
  });
});

test('an intent knows its slots and their types', async () => {
  const slots = { count, name: textIn() };
  const { tells } = intentsOf<SlotValues<typeof slots>>();
  const skill = defineSkill({
    name: 'one',
    sentencesOf: () => ({}),
    slots,
    intents: { double: tells((_ask, said) => String((said.count ?? 0) * 2)) },
  });
  const [five] = readWords('5');

  const answer = skill.intents['double']?.answer(question('5'), new Map([['count', five ? [five] : []]]));

  expect(await answer).toBe('10');
  // @ts-expect-error -- there is no such slot
  expect(tells((_ask, { size }) => size)).toBeDefined();
  // @ts-expect-error -- it is a number
  expect(tells((_ask, said) => said.count)).toBeDefined();
});
