import type { Readable } from 'node:stream';
import { BackupError } from '../backup/backup-file.ts';
import type { CarriedBackup } from '../backup/carried-backup.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Handlers } from './contract-routes.ts';

interface BackupRoutesOptions {
  /** The file as it is sent. Rejects before its first byte if it cannot be made. */
  pack: () => Promise<Readable>;
  /** Throws BackupError where the file cannot be put back. */
  restore: (file: Buffer) => Promise<CarriedBackup>;
  /** Somebody has all of a backup now. */
  onMade: () => void;
  log: Logger;
}

/** Backups as files: downloaded, and put back. */
export function adminBackupRoutes(
  options: BackupRoutesOptions,
): Pick<Handlers, 'downloadBackup' | 'restoreBackup'> {
  const { pack, restore, onMade, log } = options;
  let [isPacking, isRestoring] = [false, false];

  const restored = async (file: Buffer): Promise<CarriedBackup> => {
    isRestoring = true;
    try {
      return await restore(file);
    } catch (error) {
      if (!(error instanceof BackupError)) throw redisAway(error);
      const message = `${error.message} Nothing has been changed.`;
      throw new AppError('backup_unreadable', message, { cause: error });
    } finally {
      isRestoring = false;
    }
  };

  return {
    async downloadBackup({ request: { caller }, reply }) {
      // Each takes room on the disk, and reads all that is kept.
      if (isPacking) throw new AppError('overloaded', 'Another backup is being made. Try again in a moment.');
      isPacking = true;
      try {
        const file = await pack().catch((error: unknown) => {
          throw redisAway(error);
        });
        reply.raw.once('finish', onMade);
        log.info({ token_name: caller.tokenName }, 'backup download started');
        return reply
          .type('application/gzip')
          .header('content-disposition', `attachment; filename="${nameAt(new Date())}"`)
          .send(file);
      } finally {
        isPacking = false;
      }
    },

    async restoreBackup({ body, request: { caller } }) {
      if (isRestoring)
        throw new AppError('not_possible', 'Another backup is being put back. Wait until that is done.');
      const { madeAt, version, ...counts } = await restored(body);
      log.info({ token_name: caller.tokenName, ...counts }, 'backup restored from the page');
      return { made_at: madeAt, version, ...counts };
    },
  };
}

/** Only Redis can fail here, on a connection of its own. */
function redisAway(cause: unknown): AppError {
  return new AppError('redis_unavailable', undefined, { cause });
}

/** As `make backup` names its files. */
function nameAt(now: Date): string {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split('T');
  return `hearth-${day}-${time.slice(0, 6)}.tar.gz`;
}
