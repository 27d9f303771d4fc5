import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClaimGate } from '../../../api/src/respond/claims.ts';
import { toolWords } from '../../support/thinker.ts';

const { claims } = toolWords;

/** What is let through of an answer that comes in these pieces. */
function through(pieces: readonly string[], { isStrict = true, isInformed = false } = {}) {
  const said: string[] = [];
  const gate = createClaimGate({ claims, isStrict, isInformed, say: (words) => void said.push(words) });
  for (const piece of pieces) gate.push(piece);
  return { ...gate.end(), pieces: said };
}

const harmless = [
  'The capital of France is Paris.',
  'You can set a timer on most ovens. Put it on the table.',
  'To turn on the lights, press the switch.',
  'If the alarm is set, it rings at seven.',
  'I cannot add anything to a list, and I have no hands.',
  'Do you want me to set a timer?',
  'I will tell you a story. The king turned on his heel and was gone.',
  'Add the eggs, then stir. Turn off the heat when it is done.',
  'The list of kings is long.',
  'Paris has been the capital since 987.',
];

const claiming = [
  'Your timer is set.',
  'Okay, your five minute pasta timer is set.',
  'Done.',
  'Okay, done!',
  "It's done.",
  'I set a timer for five minutes.',
  "I've set a timer for five minutes.",
  'I’ve added milk to your shopping list.',
  'I have turned off the kitchen lights.',
  'I just cancelled the timer.',
  'Added milk to the shopping list.',
  'Milk has been added to your shopping list.',
  'The timer has been cancelled.',
  'The lights are now on.',
  'All set!',
  'Sure! I locked the front door.',
  'It is late, and I turned on the lights.',
];

describe('a claim', () => {
  test.each(claiming)('is withheld: %s', (text) => {
    expect(through([text]).isWithheld).toBe(true);
    expect(through([text]).said).not.toMatch(/set|done|added|turned|cancelled|locked|lights/i);
  });

  test.each(harmless)('is not: %s', (text) => {
    expect(through([text])).toMatchObject({ said: text, isWithheld: false });
  });

  test('is no claim about what was looked up', () => {
    const text = 'The pasta timer is running.';

    expect([through([text]).isWithheld, through([text], { isInformed: true }).isWithheld]).toEqual([
      true,
      false,
    ]);
  });

  test('withholds all that follows it', () => {
    expect(through(['Paris is nice. ', 'I have set a timer. ', 'Rome is nice too.']).said).toBe(
      'Paris is nice. ',
    );
  });

  test('is found where the words come one by one and no tool could be used', () => {
    const words = "Paris is nice, and I've set a timer for you.".match(/\S+\s*/g) ?? [];

    expect(through(words, { isStrict: false })).toMatchObject({ isWithheld: true });
  });

  test('is the same however the words are cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...harmless, ...claiming),
        fc.constantFrom(...harmless, ...claiming),
        fc.array(fc.nat(120), { maxLength: 10 }),
        (first, second, cuts) => {
          const text = `${first} ${second}`;
          const edges = [
            0,
            ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b),
            text.length,
          ];
          const pieces = edges.slice(1).map((edge, at) => text.slice(edges[at], edge));

          const whole = through([text]);
          const cut = through(pieces);

          expect([cut.isWithheld, cut.said]).toEqual([whole.isWithheld, whole.said]);
          expect(cut.pieces.join('')).toBe(cut.said);
        },
      ),
    );
  });

  test('is looked for in time that grows with the words and nothing else', () => {
    const begunAt = performance.now();

    through(Array.from({ length: 5_000 }, () => 'I have the list of lights '));

    expect(performance.now() - begunAt).toBeLessThan(5_000);
  });
});

test('words that begin like no claim are let through at once where no tool could be used', () => {
  const { pieces } = through(['Paris ', 'is ', 'the ', 'capital'], { isStrict: false });

  expect(pieces).toEqual(['Paris ', 'is ', 'the ', 'capital']);
});
