import type { BackupLog } from '../status/backup-log.ts';
import { type Finding, fine, type Step, skipped, warning } from './step.ts';

interface BackupStepsOptions {
  backups: Pick<BackupLog, 'read'>;
  /** Whether a backup is due every night. */
  isNightly: boolean;
  /** Whether Hearth runs it itself. In a container it cannot. */
  makesItself: boolean;
  now?: () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Maximum age of a nightly backup: half a day of delay is fine. */
const nightlyMs = 36 * hourMs;
/** Maximum age of a manual backup, before a reminder. */
const byHandMs = 14 * dayMs;

/** Checks for a recent backup. */
export function backupSteps({ backups, isNightly, makesItself, now = Date.now }: BackupStepsOptions): Step[] {
  const howTo =
    isNightly && !makesItself
      ? 'In containers, cron has to run "make backup" every night: see "Backup" in docs/admin.md.'
      : 'Run "make backup": it says what is wrong.';

  const look = async (): Promise<Finding> => {
    const { madeAt, failedAt, reason } = await backups.read();
    if (failedAt !== null && failedAt > (madeAt ?? 0))
      return warning(`The last one failed: ${reason}`, howTo);
    if (madeAt === null) {
      return isNightly
        ? warning('None has been made yet, although one should be every night.', howTo)
        : skipped('None has been made yet. "make backup" makes one.');
    }
    const ageMs = now() - madeAt;
    const isOld = ageMs > (isNightly ? nightlyMs : byHandMs);
    return isOld
      ? warning(`The last one was made ${ago(ageMs)}.`, howTo)
      : fine(`It was made ${ago(ageMs)}.`);
  };

  return [{ name: 'backup', title: 'The last backup', limitMs: 3_000, needs: ['redis'], look }];
}

function ago(ms: number): string {
  if (ms < hourMs) return 'within the last hour';
  const [count, unit] = ms < 2 * dayMs ? [Math.floor(ms / hourMs), 'hour'] : [Math.floor(ms / dayMs), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
