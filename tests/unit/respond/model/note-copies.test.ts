import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { fill } from '../../../../api/src/language/phrase.ts';
import { createActionClaimGate } from '../../../../api/src/respond/model/action-claims.ts';
import { createNoteCopies } from '../../../../api/src/respond/model/note-copies.ts';
import { toolWords } from '../../../support/language-model.ts';

const folder = new URL('../../../../api/languages/', import.meta.url);
const noteIn = (language: string) => loadLanguage({ folder: new URL(`${language}/`, folder) }).prompt.note;
const note = noteIn('en');

/** The part of an answer that passes, with its words one by one. */
function through(text: string, { isStrict = false, isForWords = false } = {}) {
  const gate = createActionClaimGate({
    actionClaims: toolWords.actionClaims,
    noteCopies: createNoteCopies(note),
    isStrict,
    isForWords,
    say: () => undefined,
  });
  for (const word of text.match(/\S+\s*/g) ?? []) gate.push(word);
  return gate.end();
}

describe('an answer that copies a note of the prompt', () => {
  test.each([
    'The house answered: Cancellation of all timers.',
    'the house answered : Cancellation of all timers.',
    '(The house answered: Cancellation of all timers.)',
    '(Before, I said: Cancel all timers. The house answered: All timers.)',
    'Before, I said: Cancel all timers.',
  ])('is withheld: %s', (text) => {
    expect([through(text), through(text, { isStrict: true })]).toEqual([
      { said: '', isWithheld: true },
      { said: '', isWithheld: true },
    ]);
  });

  test('is withheld after a true sentence', () => {
    expect(through('Paris is nice. The house answered: Rome.')).toEqual({
      said: 'Paris is nice. ',
      isWithheld: true,
    });
  });

  test.each([
    'The house answered the door.',
    'The house is old.',
    'Before, I said goodbye.',
    'The capital of France is Paris.',
  ])('is not: %s', (text) => {
    expect(through(text)).toEqual({ said: text, isWithheld: false });
  });

  test('may be a later line of a story', () => {
    const story = 'He asked for its name. The house answered: I have none.';

    expect(through(story, { isForWords: true })).toEqual({ said: story, isWithheld: false });
  });

  test.each(readdirSync(folder).filter((name) => !name.endsWith('.yaml')))(
    'is found in every language: %s',
    (language) => {
      const copies = createNoteCopies(noteIn(language));
      const copy = fill(noteIn(language), { question: '…', answer: 'OK.' });

      expect(copies.isCopy(copy)).toBe(true);
      expect(copies.isCopy(copy.slice(copy.indexOf('…') + 1))).toBe(true);
    },
  );
});
