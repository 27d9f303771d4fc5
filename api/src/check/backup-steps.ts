import type { BackupLog } from '../status/backup-log.ts';
import { type Finding, fine, type Step, skipped, warning } from './step.ts';

interface BackupStepsOptions {
  backups: Pick<BackupLog, 'read'>;
  /** Whether one is to be made every night. */
  isNightly: boolean;
  /** Whether Hearth makes it by itself: from inside a container it cannot. */
  makesItself: boolean;
  now?: () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** One of every night may be late by half a day. */
const nightlyMs = 36 * hourMs;
/** So old is one that people make by hand, when they may have forgotten it. */
const byHandMs = 14 * dayMs;

/** Whether what the household would miss is saved. */
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
