import { expect, test } from 'vitest';
import { createFence } from '../../../api/src/logs/fence.ts';
import { bounded, maxLineBytes, readLine } from '../../../api/src/logs/log-line.ts';

test('a line is parsed with its additional fields', () => {
  const written = {
    level: 'warn',
    time: 't',
    process: 'worker',
    instance: 'i',
    turn: 'x',
    stage: 'think',
    msg: 'm',
  };

  expect(readLine('1-0', JSON.stringify(written))).toEqual({
    id: '1-0',
    at: 't',
    level: 'warn',
    process: 'worker',
    instance: 'i',
    message: 'm',
    turn: 'x',
    stage: 'think',
  });
});

test.each(['', 'no JSON', '[]', '{"level":"loud","time":"t"}'])('%j is not one of our lines', (written) => {
  expect(readLine('1-0', written)).toBeUndefined();
});

test('a line that is too long keeps its error', () => {
  const err = { type: 'Error', message: `It broke. ${'x'.repeat(20_000)}`, stack: 'y'.repeat(20_000) };

  const cut = bounded(
    JSON.stringify({ level: 'error', time: 't', process: 'api', turn: 'x', err, msg: 'a fault' }),
  );

  expect(Buffer.byteLength(cut)).toBeLessThan(maxLineBytes);
  expect(readLine('1-0', cut)).toMatchObject({ turn: 'x', message: 'a fault', cut: true });
  expect(cut).toContain('It broke.');
});

test('a secret is masked in any notation', () => {
  const fence = createFence(['ab"c/d&e', undefined, 'on']);

  const line = fence(
    JSON.stringify({ plain: 'ab"c/d&e', path: `/x/${encodeURIComponent('ab"c/d&e')}`, on: 'on' }),
  );

  expect(JSON.parse(line)).toEqual({ plain: '[hidden]', path: '/x/[hidden]', on: 'on' });
});
