import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { plainAnswer, type Responder } from '../../../../api/src/respond/core/responder.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { routinesShape } from '../../../../api/src/respond/routines/routines-shape.ts';
import { createRunRoutine } from '../../../../api/src/respond/routines/run-routine.ts';
import { question } from '../../../support/skills.ts';

const { files } = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { reply } = loadSkill(files, 'routines', routinesShape);

/** Runs "Movie night" in a house that knows this scene once its names are read. */
async function run(namesUnknown: string | null, steps = [{ command: 'Movie night' }]) {
  let isRead = false;
  const scene: Responder = {
    name: 'home',
    async respond({ beginActing }) {
      if (!isRead) return null;
      await beginActing();
      return plainAnswer('Activated.');
    },
  };
  const carryOut = createRunRoutine({
    responders: [scene],
    pendingQuestions: { last: async () => null, note: async () => undefined },
    opensUp: async () => false,
    async awaitNames() {
      isRead = namesUnknown === null;
      return namesUnknown;
    },
    reply,
    and: ' and ',
  });
  return await carryOut({ name: 'Film', sentences: [], steps }, question('film'));
}

test('a routine waits for the names of the house', async () => {
  expect(await run(null)).toBe('Activated.');
});

test('a routine says why it cannot know the names of the house', async () => {
  expect(await run('I cannot reach Home Assistant.')).toBe('Movie night: I cannot reach Home Assistant.');
});
