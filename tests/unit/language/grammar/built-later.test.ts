import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { builtLater, finishBuilding, type Steps } from '../../../../api/src/language/grammar/built-later.ts';

/** A value of so many steps, each of which is recorded. */
function* counted(name: string, steps: number, done: string[]): Steps<string> {
  for (let step = 1; step <= steps; step += 1) {
    done.push(`${name} ${step}`);
    yield;
  }
  return name;
}

test('is built in the background, the oldest first', async () => {
  const done: string[] = [];
  builtLater(() => counted('one', 2, done));
  builtLater(() => counted('two', 2, done));
  expect(done).toEqual([]);

  while (done.length < 4) await nextTurn();

  expect(done).toEqual(['one 1', 'one 2', 'two 1', 'two 2']);
});

test('is built at once when it is needed, and only once', () => {
  const done: string[] = [];
  const value = builtLater(() => counted('one', 2, done));

  expect([value(), value()]).toEqual(['one', 'one']);
  expect(done).toEqual(['one 1', 'one 2']);
});

test('lets other work run between its steps', async () => {
  let isLast = false;
  const value = builtLater(function* (): Steps<string> {
    while (!isLast) yield;
    return 'built';
  });

  await nextTurn();

  isLast = true;
  expect(value()).toBe('built');
});

test('throws its error to everyone who needs it', () => {
  // biome-ignore lint/correctness/useYield: it fails in its first step.
  const value = builtLater(function* (): Steps<string> {
    throw new Error('too many choices');
  });

  expect(finishBuilding).toThrow('too many choices');
  expect(value).toThrow('too many choices');
  expect(value).toThrow('too many choices');
  finishBuilding();
});
