import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newestChanges } from '../../../api/src/http/change-log.ts';

test('the change log lists versions, each change in one plain line', () => {
  const text = `# Changelog

Newest first.

## 0.2.0

- **Undo** does \`more\`, see
  [the docs](docs/x.md#y).
- Two.

## 0.1.0, not released yet
- Three.
`;

  expect(newestChanges(text)).toEqual([
    { version: '0.2.0', changes: ['Undo does more, see the docs.', 'Two.'] },
    { version: '0.1.0, not released yet', changes: ['Three.'] },
  ]);
});

test('our own change log is neither empty nor too long to read', () => {
  const found = newestChanges(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));
  const changes = found.flatMap((each) => each.changes);

  expect(changes.length).toBe(40);
  expect(changes.filter((each) => /\n|\*\*|`|\]\(/.test(each))).toEqual([]);
});
