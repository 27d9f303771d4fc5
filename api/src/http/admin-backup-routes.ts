import type { Readable } from 'node:stream';
import { BackupError } from '../backup/backup-file.ts';
import type { CarriedBackup } from '../backup/carried-backup.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Call, Handlers } from './contract-routes.ts';

interface BackupRoutesOptions {
  /** Streams the backup file. Rejects before the first byte if the file cannot be made. */
  pack: () => Promise<Readable>;
  /** Throws BackupError if the file cannot be restored. */
  restore: (file: Buffer, passphrase: string | undefined) => Promise<CarriedBackup>;
  /** Called when a client has received a whole backup. */
  onMade: () => void;
  log: Logger;
}

/** Downloads backups as files and restores them. */
export function adminBackupRoutes(
  options: BackupRoutesOptions,
): Pick<Handlers, 'downloadBackup' | 'restoreBackup'> {
  const { pack, restore, onMade, log } = options;
  let [isPacking, isRestoring] = [false, false];

  const restored = async (file: Buffer, passphrase: string | undefined): Promise<CarriedBackup> => {
    isRestoring = true;
    try {
      return await restore(file, passphrase);
    } catch (error) {
      if (!(error instanceof BackupError)) throw redisUnavailable(error);
      const message = `${error.message} Nothing has been changed.`;
      throw new AppError('backup_unreadable', message, { cause: error });
    } finally {
      isRestoring = false;
    }
  };

  return {
    async downloadBackup({ request: { caller }, reply }) {
      // Each backup takes disk space and reads all stored data.
      if (isPacking) throw new AppError('overloaded', 'Another backup is being made. Try again in a moment.');
      isPacking = true;
      try {
        const file = await pack().catch((error: unknown) => {
          throw redisUnavailable(error);
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

    async restoreBackup({ body, headers, request: { caller } }) {
      if (isRestoring)
        throw new AppError('not_possible', 'Another backup is being restored. Wait until that is done.');
      const { madeAt, version, ...counts } = await restored(body, passphraseIn(headers));
      log.info({ token_name: caller.tokenName, ...counts }, 'backup restored from the page');
      return { made_at: madeAt, version, ...counts };
    },
  };
}

/** Undefined: the client sent none. */
function passphraseIn(headers: Call<'restoreBackup'>['headers']): string | undefined {
  const encoded = headers['x-backup-passphrase'];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

/** Only Redis can fail here: the backup uses a separate connection. */
function redisUnavailable(cause: unknown): AppError {
  return new AppError('redis_unavailable', undefined, { cause });
}

/** The file name that `make backup` uses too. */
function nameAt(now: Date): string {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split('T');
  return `hearth-${day}-${time.slice(0, 6)}.tar.gz`;
}
