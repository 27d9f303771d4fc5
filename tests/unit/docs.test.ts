import { expect, test } from 'vitest';
import { keysPart } from '../../scripts/keys-docs.ts';
import { settingsPart } from '../../scripts/settings-docs.ts';

test.each([
  ['every setting what openapi.yaml does', settingsPart],
  ['every key what redis/keys.ts does', keysPart],
])('the documents tell of %s; if not: npm run docs', (_, { compare }) => {
  const { is, should } = compare();

  expect(is).toBe(should);
});
