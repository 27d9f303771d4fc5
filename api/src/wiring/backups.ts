import { existsSync } from 'node:fs';
import { runBackup } from '../backup/run-backup.ts';
import { backupSteps } from '../check/backup-steps.ts';
import { takeNight } from '../check/check-lock.ts';
import { startNightly } from '../check/nightly.ts';
import { keys } from '../redis/keys.ts';
import { createBackupLog } from '../status/backup-log.ts';
import type { ApiCore } from './api-core.ts';
import { projectFile } from './installation.ts';

/** The backup of every night, and what the check says of backups. */
export function wireBackups({ config, log, redis }: ApiCore) {
  const script = projectFile('scripts/backup');
  // The image has no scripts, and its container neither the household's files nor a place for the backup.
  const makesItself = existsSync(script);
  const nightly = startNightly({
    at: () => (makesItself ? config.backupAt : null),
    timeZone: config.timeZone,
    // A machine that sleeps at night is awake by day.
    catchesUp: true,
    isOurs: (day) => takeNight(redis, day, keys.backupNight),
    run: async () => log.info({ file: await runBackup(script) }, 'a backup was made'),
    onError: (error) => log.warn({ err: error }, 'the backup of the night failed'),
  });

  return {
    steps: () =>
      backupSteps({ backups: createBackupLog({ redis }), isNightly: config.backupAt !== null, makesItself }),
    stop: nightly.stop,
  };
}
