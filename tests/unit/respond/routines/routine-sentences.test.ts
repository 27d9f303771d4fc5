import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createRoutineSentences } from '../../../../api/src/respond/routines/routine-sentences.ts';
import { routinesShape } from '../../../../api/src/respond/routines/routines-shape.ts';
import type { Routine } from '../../../../api/src/settings/routine.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { sentencesOf } = loadSkill(language.files, 'routines', routinesShape);
const grammar = createGrammar(language.grammar);
const said = z
  .record(z.string(), z.array(z.string()))
  .parse(load(readFileSync(new URL('../../../sentences/routines.yaml', import.meta.url), 'utf8')));

const routine = (name: string, sentences: string[]): Routine => ({
  name,
  sentences,
  steps: [{ say: 'All right.' }],
});
const routines = [
  routine('Good night', ['Good night', 'Bedtime', "it's bedtime"]),
  routine('Good morning', ['good morning!']),
  routine('Movie time', ["It's movie time"]),
];

describe('the sentences of routines', () => {
  const { find } = createRoutineSentences({ grammar, sentencesOf });
  const found = (text: string) => {
    const { intent, routine: one } = find(text, routines) ?? {};
    return intent && [intent, one?.name];
  };

  test.each([
    ['good_night', ['start', 'Good night']],
    ['good_morning', ['start', 'Good morning']],
    ['movie_time', ['start', 'Movie time']],
    ['told', ['tell', 'Good night']],
    ['listed', ['list', undefined]],
    ['others', undefined],
  ])('are understood in the group %s', (group, expected) => {
    const all = said[group] ?? [];
    expect(all.length).toBeGreaterThan(0);
    expect(all.map((text) => [text, found(text)])).toEqual(all.map((text) => [text, expected]));
  });

  test('start nothing without routines, but can be asked for', () => {
    expect([find('Good night.', []), find('List my routines.', [])?.intent]).toEqual([null, 'list']);
  });

  test('are reloaded when the household has changed them', () => {
    find('Bedtime.', routines);

    expect(find('Bedtime.', [routine('Lights out', ['lights out'])])).toBeNull();
    expect(find('Lights out.', [routine('Lights out', ['lights out'])])?.intent).toBe('start');
  });

  test('are found among the maximum number of routines', () => {
    const many = Array.from({ length: 50 }, (_, at) =>
      routine(
        `Routine ${at}`,
        Array.from({ length: 10 }, (_each, place) => `begin the party number ${at * 10 + place}`),
      ),
    );

    expect(find('begin the party number 499', many)?.routine?.name).toBe('Routine 49');
  });
});
