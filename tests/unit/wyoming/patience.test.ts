import { expect, test } from 'vitest';
import { endsOfSpeech } from '../../../api/src/wyoming/patience.ts';

const household = { patience: 'normal', endsEarly: true, waitsForMore: true } as const;

test.each([
  [undefined, household],
  ['default', household],
  ['something new', household],
  ['relaxed', { patience: 'patient', endsEarly: false, waitsForMore: true }],
  ['aggressive', { patience: 'quick', endsEarly: true, waitsForMore: true }],
])('the sensitivity %s changes how the household ends speech', (sensitivity, ends) => {
  expect(endsOfSpeech(household, sensitivity)).toEqual(ends);
});

test('a household that never ends early does not by any sensitivity', () => {
  expect(endsOfSpeech({ ...household, endsEarly: false }, 'aggressive')).toMatchObject({ endsEarly: false });
});
