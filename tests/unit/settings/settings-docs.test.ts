import { expect, test } from 'vitest';
import { settingsPage } from '../../../scripts/settings-docs.ts';

test('docs/settings.md tells of every setting what openapi.yaml does; if not: npm run docs', () => {
  const { is, should } = settingsPage();

  expect(is).toBe(should);
});
