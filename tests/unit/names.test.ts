import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folders = ['api/src', 'console/src', 'satellite', 'bench', 'tests', 'tools'];
const sources = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] }))
  // The generators of the contracts choose the names there.
  .filter((file) => !/(?:contract|event)-types\.ts$/.test(file));

const exportPattern =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

/**
 * Exported names and file names that the field does not use. Each entry is a debt: rename it and delete it
 * here.
 */
const privateWords = ['door', 'taker', 'letter', 'shelf', 'roll', 'roster', 'deeds', 'ears', 'phantoms'];
const debts = new Set<string>();

/** The words of a name: `createWakeGate` has create, wake and gate. */
function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

const exported = sources.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...new Set([...text.matchAll(exportPattern)].map(([, name = '']) => name))].map((name) => ({
    name,
    file,
  }));
});
const isPrivate = (name: string) => wordsOf(name).some((word) => privateWords.includes(word));

/** Names that two of the three programs export. Each is a debt: rename one of them, and delete it here. */
const sharedNames = [
  'Away',
  'Caller',
  'Check',
  'Conversation',
  'Exchange',
  'Health',
  'History',
  'House',
  'Loudspeaker',
  'Played',
  'Routine',
  'Satellites',
  'Speech',
  'Step',
  'Timer',
  'TimerActions',
  'createMicrophoneLevel',
  'createPlayout',
  'createRinging',
  'createUndoable',
  'createWakeGate',
  'frameSamples',
];

describe('names', () => {
  // Each entry is a debt: rename the name and delete it here.
  const oldLimits = new Set(['leastMs', 'fewestLetters', 'fewestLettersOfPlural']);

  test('call a limit max or min, never most, least or fewest', () => {
    const found = sources.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/\b(?:[mM]ost|[lL]east|[fF]ewest)[A-Z]\w*/g)].map(([name]) => ({
        file,
        name,
      }));
    });

    expect(sources.length).toBeGreaterThan(1_000);
    expect(found.filter(({ name }) => !oldLimits.has(name))).toEqual([]);
    expect([...oldLimits].filter((old) => !found.some(({ name }) => name === old))).toEqual([]);
  });

  test('use no words that mean something only here', () => {
    const names = [
      ...exported.map(({ name }) => name),
      ...sources.filter((file) => !file.startsWith('tests/')),
    ];

    expect(new Set(names.filter(isPrivate))).toEqual(debts);
  });

  test('mean one thing in the three programs, except for a shrinking list', () => {
    const programs = exported.filter(({ file }) => /^(?:api|console|satellite)\//.test(file));
    const twice = [...Map.groupBy(programs, ({ name }) => name)].flatMap(([name, all]) =>
      all.length > 1 ? [name] : [],
    );

    expect(programs.length).toBeGreaterThan(2_000);
    expect(twice.toSorted()).toEqual(sharedNames);
  });
});

/** The lines of every comment that starts a line. */
const comments = sources.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => /^\s*(?:\/\*\*?|\*|\/\/)/.test(line))
    .map((line) => ({ file, line })),
);

/** The sentences of the block comments in a file. */
function sentencesIn(file: string): string[] {
  const blocks = readFileSync(join(root, file), 'utf8').matchAll(/^\s*\/\*\*(.*?)\*\//gms);
  return [...blocks].flatMap(([, text = '']) =>
    text.replaceAll(/\n\s*\* ?/g, ' ').split(/(?<=[.!?])\s+(?=[A-Z`])/),
  );
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((each) => /\w/.test(each)).length;
}

describe('comments', () => {
  // The number is a debt. Lower it when you shorten some; never raise it.
  test('keep to lines of 110 characters, except for a shrinking number', () => {
    expect(comments.length).toBeGreaterThan(5_000);
    expect(comments.filter(({ line }) => line.length > 110).length).toBeLessThanOrEqual(2);
  });

  // The number is a debt, too.
  test('keep to sentences of 20 words, except for a shrinking number', () => {
    const long = sources.flatMap((file) => sentencesIn(file).filter((each) => wordsIn(each) > 20));

    expect(long.length).toBeLessThanOrEqual(7);
  });

  test('begin with their subject, never with What, Who or Where', () => {
    const inverted = /^\s*(?:\/\*\*?|\/\/)\s*(?:What|Who|Whoever|Where)\b(?!.*\?)/;

    expect(comments.filter(({ line }) => inverted.test(line))).toEqual([]);
  });
});
