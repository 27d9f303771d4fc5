import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { BackupError, readBackup, type StoredKey, writeBackup } from './backup-file.ts';
import { counted, emptyCounts, type RecordCounts } from './contents.ts';
import { unseal } from './sealing.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { fileInTar, tarOf } from './tar.ts';

/** Path in the archive. The same as in `make backup`, so that `make restore` can read it. */
const fileName = 'hearth/redis.jsonl';
/** Limit of the decompressed size, above what Redis holds. A small file could expand far beyond it. */
const maxPlainBytes = 2 * 1024 * 1024 * 1024;

/**
 * No route returns these secrets, so a downloaded backup leaves them out. A restore keeps the current ones.
 */
const secrets: ReadonlySet<string> = new Set([keys.homeAssistant.of(), keys.voiceDevices.of()]);
const isSecret = (key: string) => secrets.has(key);

const sealedMark = '{"hearth":"encrypted backup",';

/**
 * Packs a backup for download. It is spooled to a temporary file, because tar needs its size first. Errors
 * are thrown before the first byte.
 */
export async function packBackup(redis: Redis, version: string): Promise<Readable> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-backup.'));
  const spool = join(folder, 'redis.jsonl.gz');
  const drop = () => rm(folder, { recursive: true, force: true });
  const madeAt = new Date();
  let sizeBytes = 0;
  const lines = async function* () {
    for await (const line of writeBackup(withoutSecrets(takeSnapshot(redis)), { version, madeAt })) {
      sizeBytes += Buffer.byteLength(line);
      yield line;
    }
  };
  try {
    await pipeline(lines, createGzip({ level: 1 }), createWriteStream(spool, { mode: 0o600 }));
  } catch (error) {
    await drop();
    throw error;
  }
  const content = createGunzip();
  // The reader of `content` receives the error.
  pipeline(createReadStream(spool), content).catch(() => undefined);
  const packed = createGzip();
  pipeline(tarOf({ name: fileName, sizeBytes, madeAt }, content), packed)
    .catch((error: unknown) => packed.destroy(error instanceof Error ? error : new Error(String(error))))
    .finally(drop);
  return packed;
}

export interface CarriedBackup extends RecordCounts {
  version: string;
  madeAt: string;
}

interface RestoreOptions {
  /** The version of this Hearth. */
  version: string;
  /** Needed for an encrypted file only. */
  passphrase: string | undefined;
}

/**
 * Restores a file of `packBackup` or `make backup`. Throws BackupError with the reason if it is invalid. Then
 * nothing has changed.
 */
export async function restoreCarried(
  redis: Redis,
  file: Buffer,
  { version, passphrase }: RestoreOptions,
): Promise<CarriedBackup> {
  const lines = fileInTar(unzipped(file, passphrase), fileName);
  const { header, kept } = await readBackup(lines, version);
  const counts = emptyCounts();
  await restoreSnapshot(redis, counted(kept, counts), isSecret);
  return { ...counts, version: header.version, madeAt: header.madeAt };
}

async function* withoutSecrets(kept: AsyncIterable<StoredKey>): AsyncGenerator<StoredKey> {
  for await (const each of kept) if (!isSecret(each.key)) yield each;
}

async function* unzipped(file: Buffer, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const isSealed = file.toString('latin1', 0, sealedMark.length) === sealedMark;
  const content = createGunzip();
  // The reader of `content` receives the error.
  pipeline(isSealed ? unsealed(file, passphrase) : whole(file), content).catch(() => undefined);
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > maxPlainBytes) throw new BackupError('This is far too large for a backup of Hearth.');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const isOther = !isSealed && (file.length < 2 || file[0] !== 0x1f || file[1] !== 0x8b);
    throw new BackupError(
      isOther ? 'This is not a backup of Hearth.' : 'The backup is damaged: its content has changed.',
      { cause: error },
    );
  }
}

async function* unsealed(file: Buffer, passphrase: string | undefined): AsyncGenerator<Buffer> {
  if (!passphrase)
    throw new BackupError('This backup is encrypted. It needs the passphrase that it was made with.');
  yield* unseal(whole(file), passphrase);
}

async function* whole(file: Buffer): AsyncGenerator<Buffer> {
  yield file;
}
