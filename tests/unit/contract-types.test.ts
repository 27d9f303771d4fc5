import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const generator = fileURLToPath(new URL('../../tools/contract-types/generate.ts', import.meta.url));

test('the types match the current contracts; if not: npm run types', {
  timeout: 30_000,
}, () => {
  const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
