import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { afterEach, describe, expect, test } from 'vitest';
import { pageLanguages, setPageLanguage, t, tCount, tRich } from '../../../console/src/language/translate.ts';

const root = resolve(import.meta.dirname, '../../../console/src');
const others = pageLanguages.filter((each) => each !== 'en');

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Found {
  /** The keys of `t`, `tCount` and `tRich`, with the place of each. */
  readonly keys: Map<string, string>;
  /** Calls without a literal text, or before the language is known. */
  readonly wrong: string[];
  /** Texts of the page that are not translated. */
  readonly bare: string[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const shownAttributes = new Set(['alt', 'aria-label', 'label', 'placeholder', 'title']);
const isWords = (value: unknown): value is string => typeof value === 'string' && /\p{L}{2}/u.test(value);

/** The literals of an argument: one, or both of a choice. null: it is something else. */
function literalsOf(node: unknown): string[] | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node.type !== 'ConditionalExpression') return null;
  const [yes, no] = [literalsOf(node['consequent']), literalsOf(node['alternate'])];
  return yes && no && [...yes, ...no];
}

function readCall(node: Node, at: string, isInFunction: boolean, found: Found): void {
  const { callee } = node;
  const name = isNode(callee) ? callee['name'] : undefined;
  if (name !== 't' && name !== 'tCount' && name !== 'tRich') return;
  const given = Array.isArray(node['arguments']) ? node['arguments'] : [];
  const texts = (name === 'tCount' ? given.slice(1, 3) : given.slice(0, 1)).map((each) => literalsOf(each));
  if (texts.includes(null)) found.wrong.push(`${at}: ${name} without a literal text`);
  if (!isInFunction) found.wrong.push(`${at}: ${name} before the language is known`);
  for (const key of texts.flatMap((each) => each ?? [])) found.keys.set(key, at);
}

function readText(node: Node, at: string, found: Found): void {
  if (node.type === 'JSXText' && isWords(node['value'])) found.bare.push(`${at}: ${node['value'].trim()}`);
  if (node.type !== 'JSXAttribute') return;
  const [name, value] = [node['name'], node['value']];
  if (!isNode(name) || !isNode(value) || !shownAttributes.has(String(name['name']))) return;
  if (isWords(value['value'])) found.bare.push(`${at}: ${value['value']}`);
}

/** Code is the same in every language. */
const isCode = (node: Node): boolean =>
  isNode(node['openingElement']) &&
  isNode(node['openingElement']['name']) &&
  ['code', 'kbd', 'pre'].includes(String(node['openingElement']['name']['name']));

function walk(node: Node, at: string, isInFunction: boolean, found: Found): void {
  if (node.type === 'CallExpression') readCall(node, at, isInFunction, found);
  readText(node, at, found);
  if (node.type === 'JSXElement' && isCode(node)) return;
  const isInside = isInFunction || /Function/.test(node.type);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, at, isInside, found);
    }
  }
}

const found: Found = { keys: new Map(), wrong: [], bare: [] };
for (const file of globSync('**/*.{ts,tsx}', { cwd: root }).toSorted()) {
  if (file.startsWith('language/') || file.endsWith('.d.ts')) continue;
  const source = parseAst(readFileSync(join(root, file), 'utf8'), {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
  });
  walk(source as unknown as Node, file, false, found);
}

const textsOf = (language: string): [file: string, key: string, text: string][] =>
  globSync(`language/${language}/*.json`, { cwd: root }).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, string>).map(
      ([key, text]): [string, string, string] => [file, key, text],
    ),
  );

const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

test('translates literal texts only, after the language is known', () => {
  expect(found.wrong).toEqual([]);
});

test('translates each text of the page', () => {
  expect(found.bare).toEqual([]);
});

describe.each(others)('the page in %s', (language) => {
  const texts = textsOf(language);
  const byKey = new Map(texts.map(([, key, text]) => [key, text]));

  test('has each text once, and no other', () => {
    expect([...found.keys.keys()].filter((key) => !byKey.has(key))).toEqual([]);
    expect(texts.filter(([, key]) => !found.keys.has(key))).toEqual([]);
    expect(texts.filter(([, key, text]) => byKey.get(key) !== text)).toEqual([]);
  });

  test('names the same values as the English texts', () => {
    const wrong = texts.filter(([, key, text]) => placesOf(key).join() !== placesOf(text).join());

    expect(wrong).toEqual([]);
  });
});

describe('a text', () => {
  afterEach(() => setPageLanguage('en', 'en', {}));

  test('is the English one, without its context, where there is no other', () => {
    expect([t('Talk in {room}', { room: 'attic' }), t('From|sender')]).toEqual(['Talk in attic', 'From']);
  });

  test('is the one of the language, with its values', () => {
    setPageLanguage('de', 'de-AT', { 'Talk in {room}': 'Sprechen: {room}', 'From|sender': 'Von' });

    expect([t('Talk in {room}', { room: '{n}' }), t('From|sender')]).toEqual(['Sprechen: {n}', 'Von']);
  });

  test('follows the plural rules of the language', () => {
    const timers = (n: number) => tCount(n, '{n} timer', '{n} timers');

    expect([timers(0), timers(1), timers(2_000)]).toEqual(['0 timers', '1 timer', '2,000 timers']);
    setPageLanguage('fr', 'fr', { '{n} timer': '{n} minuteur', '{n} timers': '{n} minuteurs' });
    expect([timers(0), timers(1), timers(2)]).toEqual(['0 minuteur', '1 minuteur', '2 minuteurs']);
  });

  test('takes elements', () => {
    expect(tRich('Open {link} first.', { link: 5 })).toEqual(['Open ', 5, ' first.']);
  });
});
