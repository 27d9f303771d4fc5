import { describe, expect, test } from 'vitest';
import { backupSteps } from '../../../api/src/check/backup-steps.ts';
import type { BackupRecord } from '../../../api/src/status/backup-log.ts';

const now = Date.parse('2026-11-22T03:30:00Z');
const hoursAgo = (hours: number) => now - hours * 3_600_000;

async function look(record: Partial<BackupRecord>, isNightly = false, makesItself = true) {
  const backups = { read: async () => ({ madeAt: null, failedAt: null, reason: '', ...record }) };
  const [step] = backupSteps({ backups, isNightly, makesItself, now: () => now });
  return step?.look(AbortSignal.timeout(1_000));
}

describe('the check of backups', () => {
  test.each([
    ['nobody has made one', {}, false, 'skipped', 'None has been made yet. "make backup" makes one.'],
    [
      'none was made of those of every night',
      {},
      true,
      'warning',
      'None has been made yet, although one should be every night.',
    ],
    ['one was made this night', { madeAt: hoursAgo(0.5) }, true, 'ok', 'It was made within the last hour.'],
    [
      'last night there was none',
      { madeAt: hoursAgo(37) },
      true,
      'warning',
      'The last one was made 37 hours ago.',
    ],
    ['one was made by hand', { madeAt: hoursAgo(37) }, false, 'ok', 'It was made 37 hours ago.'],
    [
      'one was made by hand long ago',
      { madeAt: hoursAgo(15 * 24) },
      false,
      'warning',
      'The last one was made 15 days ago.',
    ],
    [
      'the last one failed',
      { madeAt: hoursAgo(24), failedAt: hoursAgo(1), reason: 'No space.' },
      false,
      'warning',
      'The last one failed: No space.',
    ],
    [
      'one failed and the next did not',
      { madeAt: hoursAgo(1), failedAt: hoursAgo(2) },
      true,
      'ok',
      'It was made 1 hour ago.',
    ],
  ])('reports the state when %s', async (_when, record, isNightly, state, message) => {
    expect(await look(record, isNightly)).toMatchObject({ state, message });
  });

  test('says who makes them in containers', async () => {
    expect(await look({}, true, false)).toMatchObject({
      advice: 'In containers, cron has to run "make backup" every night: see "Backup" in docs/admin.md.',
    });
  });
});
