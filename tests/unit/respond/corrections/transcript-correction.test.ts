import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createSay } from '../../../../api/src/language/phrases.ts';
import { firstAnswer, plainAnswer, type Responder } from '../../../../api/src/respond/core/responder.ts';
import { createTranscriptCorrection } from '../../../../api/src/respond/corrections/transcript-correction.ts';
import { type Asked, englishSkills, question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const skills = englishSkills(new Redis({ lazyConnect: true })).responder;

const home: Responder = {
  name: 'home',
  async respond({ turn, say }) {
    say(`Did: ${turn.text}`);
    return plainAnswer(`Did: ${turn.text}`);
  },
};
let isOpen = false;
const responder = createTranscriptCorrection({
  say: createSay(language.phrases),
  doubts: { note: async () => undefined },
  skills,
  pendingQuestions: { last: async () => (isOpen ? { kind: 'doubt', text: 'why' } : null) },
  soundsOf: language.rules.soundsOf,
  words: async () => [],
  isForHome: async (text) => text === 'Turn on the kitchen lights.',
  home,
});

/** The answer to a spoken sentence, and the words with the names that they were spoken under. */
async function answered(text: string, alternatives: NonNullable<Asked['alternatives']>) {
  const said: { words: string; via: string }[] = [];
  const asked = question(text, { source: 'voice', alternatives });
  const answer = await firstAnswer([responder], asked, (words, { via }) => void said.push({ words, via }));
  return { via: answer?.via, heard: answer?.heard, said };
}

const other = (text: string) => ({ text, isSure: true });

test('an alternative transcript for the house is answered under the name of the house', async () => {
  const heard = 'Turn on the kitchen lights.';

  expect(await answered('Turn on the chicken fights.', [other(heard)])).toEqual({
    ...{ via: 'home', heard },
    said: [{ words: `Did: ${heard}`, via: 'home' }],
  });
});

test('an alternative transcript for a skill is answered under the name of the skills', async () => {
  const heard = 'What is 50 plus 20?';

  expect(await answered('What is fifty bus twenty?', [other(heard)])).toEqual({
    ...{ via: 'skills', heard },
    said: [{ words: '50 plus 20 is 70.', via: 'skills' }],
  });
});

test('a word is corrected to the answer of a question only after a question', async () => {
  const asked = question('Tell me about hall 1', {}, [
    { user: 'Wake me.', assistant: 'At what time?', turn: '1' },
  ]);
  const ask = async (hasAsked: boolean) => {
    isOpen = hasAsked;
    const answer = await firstAnswer([responder], asked, () => undefined);
    isOpen = false;
    return answer?.text;
  };

  expect([await ask(false), await ask(true)]).toEqual([undefined, 'Did you mean "Tell me about half 1"?']);
});
