import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createStreamingModel } from '../../../api/src/wake/streaming-model.ts';
import { UnreadableModel } from '../../../api/src/wake/unreadable-model.ts';
import { seeded } from '../../support/wake/sounds.ts';

describe('an invalid wake word file', () => {
  test('is refused at once when it is huge', () => {
    expect(() => createStreamingModel(new Uint8Array(100_000_000))).toThrow(
      'it is too large (100.0 MB, and wake words have at most 1 MB)',
    );
  });

  test.each([0, 1, 7, 8, 9, 100])('is refused when it is %i empty bytes', (length) => {
    expect(() => createStreamingModel(new Uint8Array(length))).toThrow('it is not a TensorFlow Lite file');
  });

  test('is refused when only its first bytes are right', () => {
    const next = seeded(11);
    for (let turn = 0; turn < 500; turn += 1) {
      const file = Uint8Array.from({ length: 20 + Math.floor(next() * 3_000) }, () =>
        Math.floor(next() * 256),
      );
      file.set(new TextEncoder().encode('TFL3'), 4);
      if (turn % 2 === 0) file.set([16, 0, 0, 0], 0);

      expect(() => createStreamingModel(file)).toThrow(UnreadableModel);
    }
  });
});

test('the detector uses no Node modules, so that it also runs in a page', () => {
  const folder = fileURLToPath(new URL('../../../api/src/wake', import.meta.url));
  const ofNode = ['wake-word-folder.ts', 'household-wake-words.ts'];
  const files = readdirSync(folder).filter((file) => !ofNode.includes(file));
  const faults = files.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, target = '']) => target);
    return (
      /\b(?:Buffer|process|globalThis)\b/.test(text) ||
      imports.some((target) => !/^\.\/[\w-]+\.ts$/.test(target))
    );
  });

  expect(files.length).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});
