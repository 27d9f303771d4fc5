import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToldJoke } from '../../../../api/src/actions/told-jokes.ts';
import { loadLanguage, loadPart } from '../../../../api/src/language/language.ts';
import { nextJoke } from '../../../../api/src/respond/skills/jokes-skill.ts';
import { englishSkills } from '../../../support/skills.ts';

const jokes = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

describe('the next joke', () => {
  test('is none of the last three quarters', () => {
    const told: ToldJoke[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      const joke = nextJoke({ jokes, told, turn: `turn-${turn}` });

      expect(told.slice(0, 6).map((each) => each.joke)).not.toContain(joke);
      told.unshift({ turn: `turn-${turn}`, joke });
    }

    expect(new Set(told.map(({ joke }) => joke))).toEqual(new Set(jokes));
  });

  test('is the same for a turn that runs twice', () => {
    const told = [
      { turn: 'later', joke: 'two' },
      { turn: 'this', joke: 'five' },
    ];

    expect(nextJoke({ jokes, told, turn: 'this' })).toBe('five');
  });

  test('depends on the turn', () => {
    const first = new Set(
      Array.from({ length: 100 }, (_, turn) => nextJoke({ jokes, told: [], turn: `turn-${turn}` })),
    );

    expect(first).toEqual(new Set(jokes));
  });

  test('ignores jokes of other languages and of earlier versions', () => {
    const others = Array.from({ length: 50 }, (_, at) => ({ turn: `${at}`, joke: `other ${at}` }));
    const told = [...others, { turn: 'first', joke: 'one' }];
    const next = new Set(
      Array.from({ length: 100 }, (_, turn) => nextJoke({ jokes, told, turn: `turn-${turn}` })),
    );

    expect(next).toEqual(new Set(jokes.slice(1)));
  });

  test('is the only one, again and again', () => {
    expect(nextJoke({ jokes: ['one'], told: [{ turn: 'first', joke: 'one' }], turn: 'second' })).toBe('one');
  });
});

describe.each(['en', 'de', 'es', 'fr', 'it', 'nl'])('the jokes in the language %s', (tag) => {
  const { files } = loadLanguage({ folder: new URL(`../../../../api/languages/${tag}/`, import.meta.url) });
  const { words } = loadPart(
    files,
    'skills/jokes.yaml',
    z.object({ words: z.object({ jokes: z.array(z.string()) }) }),
  );

  test('are enough, short, and different', () => {
    expect(words.jokes.length).toBeGreaterThanOrEqual(tag === 'en' ? 20 : 12);
    expect(words.jokes.filter((joke) => joke.length > 160)).toEqual([]);
    expect(new Set(words.jokes).size).toBe(words.jokes.length);
  });
});

describe('a sentence about jokes that requests none', () => {
  const { responder } = englishSkills(new Redis({ lazyConnect: true }));

  test.each([
    'That was a good joke.',
    'Good joke!',
    'Just a joke.',
    'What a joke.',
    'Is this a joke?',
    'He told me a joke.',
    'I know a good joke.',
    'I have a joke for you.',
    'I have to tell you a joke.',
    'You have good jokes.',
    'I hate jokes.',
    'I do not want to hear a joke.',
    "Don't tell me a joke.",
    'You make me laugh.',
    "Don't make me laugh.",
    'What is a joke?',
    'Why are jokes funny?',
    'Do you like jokes?',
    'Explain the joke.',
    'Do you know the joke about the horse?',
    'Tell me that joke again.',
    'Tell me a joke about cats.',
    'Tell me a dog joke.',
    'Tell me a knock-knock joke.',
    'Knock knock.',
    'Tell me a joke in French.',
    'Tell me two jokes.',
    'Write a joke for my speech.',
    'Play a joke on Anna.',
    'Remind me to tell mum the joke.',
    'Add joke book to the shopping list.',
    'Find a joke book.',
    'Another one.',
    'One more.',
  ])('is not taken: %s', (text) => {
    expect(responder.understood(text)?.skill).not.toBe('jokes');
  });
});
