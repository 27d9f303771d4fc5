import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadPart, rulesOf } from '../../../api/src/language/language.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'language-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const schema = z.strictObject({
  greetings: z.array(z.string()),
  name: z.string(),
  deep: z.record(z.string(), z.array(z.string())).optional(),
});

/** Loads a language from one file, and a household's own file if given. */
function load(own: string, added?: string) {
  const folder = put('en', own);
  const household = added === undefined ? pathToFileURL(join(root, 'none/')) : put('household', added);
  return loadPart({ folder, household }, 'part.yaml', schema);
}

function put(name: string, content: string): URL {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'part.yaml'), content);
  return pathToFileURL(join(root, name, '/'));
}

describe('a language', () => {
  test('is loaded from its folder', () => {
    expect(load('greetings: [hello]\nname: English')).toEqual({ greetings: ['hello'], name: 'English' });
  });

  test("includes the household's additions, which override the rest", () => {
    const loaded = load(
      'greetings: [hello]\nname: English\ndeep: { a: [one] }',
      'greetings: [moin]\nname: Our own\ndeep: { a: [two], b: [three] }',
    );

    expect(loaded).toEqual({
      greetings: ['hello', 'moin'],
      name: 'Our own',
      deep: { a: ['one', 'two'], b: ['three'] },
    });
  });

  test.each([
    ['a wrong type', 'greetings: [hello]\nname: [1]', /en\/part\.yaml: name: .*expected string/],
    ['a field too many', 'greetings: []\nname: x\nnaem: y', /en\/part\.yaml: the file: .*"naem"/],
    ['no mapping', '- hello', /en\/part\.yaml must hold names with values/],
    ['broken YAML', 'greetings: [hello', /en\/part\.yaml:1: /],
  ])('with %s reports the file and the field', (_, content, message) => {
    expect(() => load(content)).toThrow(message);
  });

  test("reports that the household's file is part of the fault", () => {
    expect(() => load('greetings: []\nname: x', 'greetings: [7]')).toThrow(
      /household\/part\.yaml: greetings\.0: /,
    );
  });

  test('reports a missing file', () => {
    const folder = pathToFileURL(join(root, 'nowhere/'));

    expect(() => loadPart({ folder }, 'part.yaml', schema)).toThrow(/nowhere\/part\.yaml: ENOENT/);
  });
});

describe('the rules of a language', () => {
  test('return the plural form for a number', () => {
    const { formOf, ordinalOf } = rulesOf({ folder: pathToFileURL(join(root, 'en/')) });

    expect([1, '1', 0, 2, '1.0', '1.5', -1].map(formOf)).toEqual([
      ...['one', 'one', 'other', 'other', 'other', 'other', 'other'],
    ]);
    expect([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinalOf)).toEqual([
      ...['one', 'two', 'few', 'other', 'other', 'other', 'other', 'one', 'other'],
    ]);
  });

  test('are reported missing by the name of their folder', () => {
    expect(() => rulesOf({ folder: pathToFileURL(join(root, 'tlh/')) })).toThrow(
      /tlh\/ is a language without/,
    );
  });
});
