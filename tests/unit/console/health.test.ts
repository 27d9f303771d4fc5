import { expect, test } from 'vitest';
import { tellHealth } from '../../../console/src/parts/health.ts';

const warning = {
  name: 'disk',
  message: 'The disk is nearly full.',
  advice: 'Free up space on that disk.',
} as const;

test.each([
  [
    { status: 'ready', warnings: [] },
    { mood: 'well', words: 'All is well' },
  ],
  [{ status: 'ready' }, { mood: 'well', words: 'All is well' }],
  [
    { status: 'ready', warnings: [warning] },
    { mood: 'busy', words: 'The disk is nearly full.' },
  ],
  [
    { status: 'degraded', warnings: [warning], redis: { state: 'failed', reason: 'Redis is full.' } },
    { mood: 'ill', words: 'Redis is full.' },
  ],
] as const)('%j is told as %j', (health, told) => {
  expect(
    tellHealth({ ...health, warnings: [...('warnings' in health ? health.warnings : [])] }, null),
  ).toEqual(told);
});
