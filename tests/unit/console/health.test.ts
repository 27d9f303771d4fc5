import { expect, test } from 'vitest';
import { describeHealth, smallModels } from '../../../console/src/parts/health.ts';

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
] as const)('the page shows %j as %j', (health, told) => {
  expect(
    describeHealth({ ...health, warnings: [...('warnings' in health ? health.warnings : [])] }, null),
  ).toEqual(told);
});

test.each(['language', 'recognition_language', 'voice_language', 'model_language'] as const)(
  'the warning %s leads to the settings, which can mend it',
  (name) => {
    const language = { ...warning, name };

    expect(describeHealth({ status: 'ready', warnings: [language] }, null)).toMatchObject({
      isSetting: true,
    });
  },
);

const configured = { token: false, time_zone: 'UTC', home: false, log_words: false } as const;

test('the page shows the reason when everything works only with the smallest models', () => {
  const tiny = { status: 'ready', configured: { ...configured, models: 'tiny' } } as const;

  expect(describeHealth(tiny, null)).toEqual({ mood: 'busy', words: 'It works, with the smallest models' });
  expect(smallModels({ ...tiny, note: 'There are 2 GB of memory.' })).toMatch(/tiny.*There are 2 GB/);
  expect(smallModels({ configured: { ...configured, models: 'small' } })).toBeNull();
});
