import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBackup } from '../../../api/src/backup/run-backup.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-script-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function script(lines: string): string {
  const file = join(folder, 'backup');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
  return file;
}

describe('the nightly backup', () => {
  test('is the file that the script names last', async () => {
    const file = script('echo "keep it" >&2; echo first; echo backups/hearth-1.tar.gz');

    expect(await runBackup(file)).toBe('backups/hearth-1.tar.gz');
  });

  test("fails with the script's reason, and never waits for input", async () => {
    const file = script('read answer; echo "Redis cannot be reached." >&2; exit 1');

    await expect(runBackup(file)).rejects.toThrow('Redis cannot be reached.');
  });
});
