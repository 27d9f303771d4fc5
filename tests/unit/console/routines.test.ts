import { describe, expect, test } from 'vitest';
import { routineSchema } from '../../../api/src/settings/routine.ts';
import {
  changeStep,
  draftOf,
  emptyDraft,
  missingIn,
  moveStep,
  partOfParam,
  routineOf,
  suggestions,
  withoutStep,
  withStep,
} from '../../../console/src/settings/routines.ts';

const routine = {
  name: 'Good night',
  sentences: ['good night', 'bedtime'],
  steps: [{ command: 'turn off all lights' }, { ask: 'what alarms are set' }, { say: 'Sleep well.' }],
};
const texts = (draft: ReturnType<typeof draftOf>) => draft.steps.map(({ text }) => text);

describe('a routine in the form', () => {
  test('is unchanged without edits', () => {
    expect(routineOf(draftOf(routine))).toEqual(routine);
  });

  test('drops typed blanks and empty lines', () => {
    const draft = { ...draftOf(routine), name: ' Night ', sentences: '\n good night \n\n' };

    expect(routineOf(draft)).toMatchObject({ name: 'Night', sentences: ['good night'] });
  });

  test('moves its steps, never beyond an end', () => {
    const draft = draftOf(routine);

    expect(texts(moveStep(draft, 3, -1))).toEqual([
      'turn off all lights',
      'Sleep well.',
      'what alarms are set',
    ]);
    expect(texts(moveStep(draft, 1, 1))).toEqual([
      'what alarms are set',
      'turn off all lights',
      'Sleep well.',
    ]);
    expect([moveStep(draft, 1, -1), moveStep(draft, 3, 1), moveStep(draft, 9, 1)]).toEqual([
      draft,
      draft,
      draft,
    ]);
  });

  test('adds, changes and removes steps, each under a unique name', () => {
    const more = withStep(withoutStep(draftOf(routine), 1));

    expect(more.steps.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(routineOf(changeStep(more, 4, { kind: 'say', text: 'Bye.' })).steps.at(-1)).toEqual({
      say: 'Bye.',
    });
    expect(withStep(emptyDraft).steps).toHaveLength(2);
  });

  test.each([
    ['routines.2.name', 2, 'name'],
    ['routines.2.sentences.1', 2, 'sentences'],
    ['routines.2.steps.4.command', 2, { step: 4 }],
    ['routines.2.steps', 2, { step: 0 }],
    ['routines.1.name', 2, null],
    ['routines.2', 2, null],
    ['speed', 2, null],
    [null, 2, null],
  ])('shows the error about %s at its field', (param, at, part) => {
    expect(partOfParam(param, at)).toEqual(part);
  });

  test('has a suggestion that the server accepts', () => {
    for (const each of suggestions()) expect(routineSchema.parse(each)).toEqual(each);
  });
});

test('a routine names its first empty part', () => {
  const [sentence, say] = ['good night', 'Sleep well.'];

  expect([
    missingIn({ name: '', sentences: [], steps: [{ say: '' }] }, 2)?.param,
    missingIn({ name: 'Night', sentences: [], steps: [{ say: '' }] }, 2)?.param,
    missingIn({ name: 'Night', sentences: [sentence], steps: [{ say }, { ask: '' }] }, 2)?.param,
    missingIn({ name: 'Night', sentences: [sentence], steps: [{ say }] }, 2),
  ]).toEqual(['routines.2.name', 'routines.2.sentences', 'routines.2.steps.1', null]);
});
