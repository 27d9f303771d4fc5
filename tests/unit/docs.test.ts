import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keysPart } from '../../scripts/keys-docs.ts';
import { scopesPart } from '../../scripts/scopes-docs.ts';
import { settingsPart } from '../../scripts/settings-docs.ts';

const root = new URL('../../', import.meta.url);

test.each([
  ['every setting what openapi.yaml does', settingsPart],
  ['every key what redis/keys.ts does', keysPart],
  ['every scope what http/scopes.ts does', scopesPart],
])('the documents describe %s; if not: npm run docs', (_, { compare }) => {
  const { is, should } = compare();

  expect(is).toBe(should);
});

test('architecture.md names only files and folders that exist', () => {
  const page = readFileSync(new URL('docs/architecture.md', root), 'utf8');
  // A path with a folder, such as `turn/turn.ts` or `tests/`; patterns and addresses are not paths.
  const paths = [...page.matchAll(/`([\w.-]+\/(?:[\w.-]+\/)*(?:[\w-]+\.\w+)?)`/g)].map(
    ([, path = '']) => path,
  );
  const missing = paths.filter((path) =>
    ['', 'api/src/', 'console/src/'].every(
      (base) => !existsSync(fileURLToPath(new URL(`${base}${path}`, root))),
    ),
  );

  expect(paths.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
