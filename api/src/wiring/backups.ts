import { existsSync } from 'node:fs';
import { packBackup, restoreCarried } from '../backup/carried-backup.ts';
import { withOwnRedis } from '../backup/own-connection.ts';
import { runBackup } from '../backup/run-backup.ts';
import { backupSteps } from '../check/backup-steps.ts';
import { takeNight } from '../check/check-lock.ts';
import { startNightly } from '../check/nightly.ts';
import { adminBackupRoutes } from '../http/admin-backup-routes.ts';
import { keys } from '../redis/keys.ts';
import { createBackupLog } from '../status/backup-log.ts';
import type { ApiCore } from './api-core.ts';
import { projectFile } from './installation.ts';

/** The nightly backup, and the check of backups. */
export function wireBackups({ config, log, redis, settings, version }: ApiCore) {
  const made = createBackupLog({ redis });
  const script = projectFile('scripts/backup');
  // The image has no scripts, and its container has neither the household's files nor a place for the backup.
  const makesItself = existsSync(script);
  const nightly = startNightly({
    at: () => (makesItself ? settings.current().backup_at : 'never'),
    timeZone: config.timeZone,
    // A machine that sleeps at night runs it by day.
    catchesUp: true,
    isOurs: (day) => takeNight(redis, day, keys.backupNight),
    run: async () => log.info({ file: await runBackup(script) }, 'backup created'),
    onError: (error) => log.warn({ err: error }, 'nightly backup failed'),
  });

  return {
    steps: () =>
      backupSteps({ backups: made, isNightly: settings.current().backup_at !== 'never', makesItself }),
    handlers: adminBackupRoutes({
      pack: () => withOwnRedis(config.redisUrl, (own) => packBackup(own, version)),
      restore: (file, passphrase) =>
        withOwnRedis(config.redisUrl, (own) => restoreCarried(own, file, { version, passphrase })),
      onMade: () => void made.made(Date.now()).catch(() => undefined), // the check will report that there is none
      log,
    }),
    stop: nightly.stop,
  };
}
