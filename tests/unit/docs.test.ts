import { expect, test } from 'vitest';
import { keysPart } from '../../scripts/keys-docs.ts';
import { scopesPart } from '../../scripts/scopes-docs.ts';
import { settingsPart } from '../../scripts/settings-docs.ts';

test.each([
  ['every setting what openapi.yaml does', settingsPart],
  ['every key what redis/keys.ts does', keysPart],
  ['every scope what http/scopes.ts does', scopesPart],
])('the documents tell of %s; if not: npm run docs', (_, { compare }) => {
  const { is, should } = compare();

  expect(is).toBe(should);
});
