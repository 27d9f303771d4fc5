import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createReasoningFilter,
  withoutOpenedReasoning,
} from '../../../../api/src/respond/model/reasoning-filter.ts';

function filtered(...pieces: string[]): string {
  const filter = createReasoningFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

/** Fragments of text, some of which look like the start of a tag. */
const bits = ['a', 'é', '🐱', ' ', '\n', '<', '>', '/', '<thin', 'think', '1 < 2', '<b>'];
const textOf = (...more: string[]) =>
  fc.array(fc.constantFrom(...bits, ...more), { maxLength: 8 }).map((all) => all.join(''));
const words = textOf('</', '</think>');
const tag = fc.constantFrom('think', 'thinking', 'reasoning');
/** Fragments may form a closing tag by chance, and the text after it is no longer reasoning. */
const thoughtText = textOf().filter((text) => !/<\/(?:think|thinking|reasoning)>/.test(text));
const thought = fc
  .tuple(tag, thoughtText)
  .map(([name, inside]) => `<${name}>SECRET${inside}SECRET</${name}>`);
const answer = fc.array(fc.oneof(words, thought), { maxLength: 6 }).map((parts) => parts.join(''));

function cut(text: string, places: number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

describe('the reasoning filter', () => {
  test.each([
    ['<think>hm</think>Paris.', 'Paris.'],
    ['Well, <thinking>hm\nhm</thinking>Paris<reasoning></reasoning>.', 'Well, Paris.'],
    ['Paris.<think>and never an end', 'Paris.'],
    ['<think>a</thinking>b</think>c', 'c'],
    ['1 < 2 and <b>bold</b> stay', '1 < 2 and <b>bold</b> stay'],
    ['ends with <thi', 'ends with <thi'],
    ['', ''],
  ])('turns %o into %o', (text, expected) => {
    expect(filtered(text)).toBe(expected);
  });

  test('passes words on as soon as they cannot be a tag', () => {
    const filter = createReasoningFilter();

    expect([filter.push('It is <'), filter.push('b'), filter.push('> but not for long')]).toEqual([
      'It is ',
      '',
      '<b> but not for long',
    ]);
  });

  test('returns the same answer for any split of the text', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(), { maxLength: 10 }), (text, places) => {
        expect(filtered(...cut(text, places))).toBe(filtered(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('passes nothing between the tags', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(), { maxLength: 10 }), (text, places) => {
        expect(filtered(...cut(text, places))).not.toContain('SECRET');
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps endless reasoning out of memory', () => {
    const filter = createReasoningFilter();
    filter.push('<think>');

    for (let count = 0; count < 1_000; count += 1) expect(filter.push('hm '.repeat(1_000))).toBe('');

    expect(filter.push('</think>Paris.')).toBe('Paris.');
  });
});

describe('an answer whose template starts with reasoning', () => {
  test.each([
    ['hm, hm</think>\n\nParis.', 'Paris.'],
    ['a</think>b</reasoning> Paris. ', 'Paris.'],
    ['Paris.', 'Paris.'],
    ['</think>', ''],
  ])('%o is %o', (text, expected) => {
    expect(withoutOpenedReasoning(text)).toBe(expected);
  });
});
