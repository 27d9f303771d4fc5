import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../../api/src/respond/core/skill-language.ts';
import { homeShape } from '../../../../../api/src/respond/home/understand/home-shape.ts';
import type { Target } from '../../../../../api/src/respond/home/understand/target.ts';
import { createTargetReader } from '../../../../../api/src/respond/home/understand/target-reader.ts';

const language = loadLanguage({ folder: new URL('../../../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'home', homeShape);
const { readWords } = createGrammar(language.grammar);
const targets = createTargetReader(words, readWords);
targets.learn({
  areas: ['Annex'],
  things: [
    { id: 'switch.wemo_plug', name: 'Wemo plug' },
    { id: 'vacuum.vacuum_cleaner', name: 'Vacuum cleaner' },
  ],
});

const inBigHouse = createTargetReader(words, readWords);
inBigHouse.learn({
  areas: ['Annex'],
  things: Array.from({ length: 60 }, (_, at) => ({ id: `light.ceiling_${at}`, name: 'Ceiling light' })),
});

/** The ways to read a text as one target from its first word to its last. */
const read = (text: string): Target[] => {
  const said = readWords(text);
  return targets.read(said, 0).filter(({ end }) => end === said.length);
};

describe('a target', () => {
  test('may have its room before or after it', () => {
    expect(read('the kitchen lights')).toMatchObject([{ place: { from: 1, to: 2 }, isPlaced: true }]);
    expect(read('the lights in the kitchen')).toMatchObject([{ place: { from: 4, to: 5 }, isPlaced: true }]);
    expect(read('the lights here')).toMatchObject([{ place: 'here', isPlaced: false }]);
  });

  test('is in one room only', () => {
    expect(read('the kitchen lights in the kitchen')).toMatchObject([{ isPlaced: true }]);
    expect(read('the kitchen lights in the annex')).toEqual([]);
  });

  test('is in a room of the household as in any other', () => {
    expect(read('all the annex lights')).toMatchObject([{ place: { from: 2, to: 3 }, isAll: true }]);
  });

  test('may have its kind after its name, unless that may be another machine', () => {
    expect(read('the wemo plug socket')).toMatchObject([{ isNamed: true, name: { from: 1, to: 3 } }]);
    expect(read('the vacuum cleaner robot').filter(({ isNamed }) => isNamed)).toEqual([]);
  });

  test('is read the same way however many things have its name', () => {
    const said = readWords('the kitchen and the ceiling light and the ceiling light');
    const named = (text: string) => inBigHouse.read(readWords(text), 0).filter(({ isNamed }) => isNamed);

    expect(named('the ceiling light')).toHaveLength(1);
    expect(named('the ceiling light and the ceiling light')).toHaveLength(2);
    expect(inBigHouse.read(said, 3).length).toBeLessThan(10);
  });

  test('may contain up to four things', () => {
    const lamps = (count: number) => Array.from({ length: count }, () => 'the lamp').join(' and ');

    expect(read(lamps(4))[0]?.parts).toHaveLength(4);
    expect(read(lamps(5))).toEqual([]);
  });
});
