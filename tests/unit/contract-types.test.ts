import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const generator = fileURLToPath(new URL('../../tools/contract-types/generate.ts', import.meta.url));

test('the types are made from the contracts as they are now; if not: npm run types', {
  timeout: 30_000,
}, () => {
  const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
