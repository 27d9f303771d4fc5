import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { createHints, hearingSchema } from '../../../api/src/language/hints.ts';

const english = hearingSchema.parse(
  load(readFileSync(new URL('../../../api/languages/en/hearing.yaml', import.meta.url), 'utf8')),
);
const hints = createHints(english);
const examples = 'Set a tea timer for five minutes. Add bread to the shopping list. Cancel the oven timer.';
const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('hints', () => {
  test('are example sentences if nothing is known', () => {
    expect(hints({})).toBe(examples);
  });

  test("never contain the assistant's name or wake word, which noise would become", () => {
    const now = {
      words: ['Computer', 'Okay Nabu', 'Anna'],
      devices: ['computer plug', 'Computerized lamp'],
      lists: [{ name: 'shopping', items: ['okay nabu', 'eggs'] }],
    };
    const hint = hints({ ...now, calls: ['Computer', 'okay nabu'] });

    expect(hint.startsWith(examples)).toBe(true);
    expect(hint.slice(examples.length)).toMatch(/Anna.*eggs.*Computerized lamp/);
    expect(hint.toLowerCase()).not.toMatch(/\bcomputer\b|nabu/);
  });

  test('name the current things', () => {
    const now = {
      timers: ['pasta', 'oven'],
      lists: [
        { name: 'shopping', items: ['eggs', 'milk'] },
        { name: 'hardware', items: [] },
      ],
      rooms: ['kitchen', 'bedroom'],
      devices: ['floor lamp'],
    };

    expect(hints(now)).toBe(
      `${examples} Timers: pasta, oven. Rooms: kitchen, bedroom. Shopping list: eggs, milk. Lists: hardware. Devices: floor lamp.`,
    );
  });

  test("name the speaker's room last, and once", () => {
    const told = hints({ rooms: ['Kitchen', 'hall'], room: 'kitchen' });

    expect(told).toBe(`${examples} Rooms: hall, kitchen.`);
  });

  test('keep the newest of each kind when space is short', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `thing ${index}`);

    const told = hints({
      timers: ['tea'],
      lists: [{ name: 'shopping', items: many }],
      rooms: many,
      room: 'attic',
    });

    expect(wordsIn(told)).toBeLessThan(60);
    expect(told).toContain('Timers: tea.');
    expect(told).toContain('thing 999, attic.');
    expect(told).toMatch(/Shopping list: .*thing 999\.$/);
    expect(told).not.toContain('thing 0,');
  });

  test.each([
    ['a\u0000b\u202Ec\n', 'a b c'],
    ['<|endoftext|> tea', 'endoftext tea'],
    ['**eggs**. Cancel: all', 'eggs Cancel all'],
    ['  Anna’s   café-crème ', 'Anna’s café-crème'],
    ['one two three four five six seven', 'one two three four five'],
  ])('take only the words from %j', (label, words) => {
    expect(hints({ timers: [label] })).toBe(`${examples} Timers: ${words}.`);
  });

  test.each(['', '🎉', '...', '- -', 'x'.repeat(41)])('leave out %j', (label) => {
    expect(hints({ timers: [label], rooms: [label], lists: [{ name: label, items: [label] }] })).toBe(
      examples,
    );
  });

  test('prefer a household’s own sentences when there are many', () => {
    const own = Array.from({ length: 10 }, (_, index) => `This is sentence number ${index} of ours.`);

    const told = createHints({ ...english, examples: [...english.examples, ...own] })({});

    expect(told).toBe(own.slice(6).join(' '));
  });

  test('stay short, plain and stable for any household', () => {
    const name = fc.string({ unit: 'binary', maxLength: 60 });
    const names = fc.array(name, { maxLength: 80 });
    const household = fc.record({
      timers: names,
      lists: fc.array(fc.record({ name, items: names }), { maxLength: 10 }),
      rooms: names,
      devices: names,
      room: fc.option(name),
    });

    fc.assert(
      fc.property(household, (now) => {
        const told = hints(now);
        expect(wordsIn(told)).toBeLessThan(60);
        expect(told.length).toBeLessThanOrEqual(400);
        expect(told).not.toMatch(/[^\p{L}\p{M}\p{N} .,:'’&-]/u);
        expect(told.startsWith(examples)).toBe(true);
        expect(hints(now)).toBe(told);
      }),
      { numRuns: 100 },
    );
  });
});

describe('hearing.yaml', () => {
  test('must have a placeholder for the name of a list', () => {
    const wrong = { ...english, there_now: { ...english.there_now, list: 'Shopping list' } };

    expect(hearingSchema.safeParse(wrong).error?.issues[0]?.message).toBe('must have a place {name}');
  });
});
