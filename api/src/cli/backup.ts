import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { BackupError, readBackup, type StoredKey, writeBackup } from '../backup/backup-file.ts';
import { counted, emptyCounts, type RecordCounts } from '../backup/contents.ts';
import { withOwnRedis } from '../backup/own-connection.ts';
import { seal, unseal } from '../backup/sealing.ts';
import { restoreSnapshot, takeSnapshot } from '../backup/snapshot.ts';
import { firstLineOf, readWithin, writeAll } from '../backup/streams.ts';
import { ConfigError, readConfig } from '../config.ts';
import { createBackupLog } from '../status/backup-log.ts';
import { gettext } from './gettext.ts';

/** Maximum pause of the other end of a pipe, enough for a sleeping disk on another machine. */
const pauseMs = 120_000;
/** Grace time at the end. A process that is still alive then is killed. */
const lingerMs = 5_000;
const minPassphrase = 12;
const maxPassphraseBytes = 4_096;

try {
  await main(process.argv[2] ?? '', process.argv.slice(3));
} catch (error) {
  const isTold = error instanceof BackupError || error instanceof ConfigError;
  process.stderr.write(`${isTold ? error.message : gettext('Redis cannot be reached: %s', String(error))}\n`);
  process.exitCode = 1;
}
// process.exit() waits for V8's threads, which can deadlock under load. So the process ends when it has
// nothing left to do.
process.stdin.destroy();
setTimeout(() => process.kill(process.pid, 'SIGKILL'), lingerMs).unref();

/**
 * `save` writes a backup of Redis to stdout. `check` and `load` read one from stdin. `seal` and `unseal`
 * encrypt and decrypt stdin; its first line is the passphrase. `note made` and `note failed REASON` record
 * the result of a backup.
 */
async function main(what: string, rest: readonly string[]): Promise<void> {
  if (what === 'save') return withRedis(save);
  if (what === 'check') return read(exhaust);
  if (what === 'load') return read((kept) => withRedis((redis) => restoreSnapshot(redis, kept)));
  if (what === 'seal' || what === 'unseal') return crypt(what === 'seal' ? seal : unseal);
  if (what === 'note') return withRedis((redis) => note(redis, rest));
  throw new BackupError('Use save, check, load, seal, unseal or note.');
}

async function save(redis: Redis): Promise<void> {
  const counts = emptyCounts();
  const lines = writeBackup(counted(takeSnapshot(redis), counts), { version: version(), madeAt: new Date() });
  await put(lines);
  process.stderr.write(`${gettext('Saved: %s.', contentsOf(counts))}\n`);
}

/** Reads the input to its end, which proves that it is complete. */
async function read(use: (kept: AsyncIterable<StoredKey>) => Promise<void>): Promise<void> {
  const { header, kept } = await readBackup(input(), version());
  const counts = emptyCounts();
  await use(counted(kept, counts));
  const { madeAt, version: maker } = header;
  process.stderr.write(`${gettext('Made %s by Hearth %s: %s.', madeAt, maker, contentsOf(counts))}\n`);
}

async function exhaust(kept: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of kept);
}

async function crypt(work: typeof seal | typeof unseal): Promise<void> {
  const first = await firstLineOf(input(), maxPassphraseBytes);
  const passphrase = first?.line.toString() ?? '';
  if (first === undefined || passphrase === '') throw new BackupError(gettext('There is no passphrase.'));
  if (work === seal && passphrase.length < minPassphrase)
    throw new BackupError(gettext('BACKUP_PASSPHRASE must have at least %s characters.', minPassphrase));
  await put(work(first.rest, passphrase));
}

async function note(redis: Redis, [how, reason = '']: readonly string[]): Promise<void> {
  const log = createBackupLog({ redis });
  if (how === 'made') await log.made(Date.now());
  else await log.failed(Date.now(), reason);
}

function input(): AsyncGenerator<Buffer> {
  return readWithin(
    process.stdin,
    pauseMs,
    () => new BackupError(gettext('The rest of the file did not arrive.')),
  );
}

function put(parts: AsyncIterable<string | Buffer>): Promise<void> {
  const tooLong = () =>
    new BackupError(gettext('The rest of the file could not be written: the reader has stopped.'));
  return writeAll(parts, process.stdout, pauseMs, tooLong);
}

function withRedis(work: (redis: Redis) => Promise<void>): Promise<void> {
  return withOwnRedis(readConfig(process.env).redisUrl, work);
}

function contentsOf({ conversations, lists, timers, settings }: RecordCounts): string {
  return [
    gettext(conversations === 1 ? '%s conversation' : '%s conversations', conversations),
    gettext(lists === 1 ? '%s list' : '%s lists', lists),
    gettext(timers === 1 ? '%s timer' : '%s timers', timers),
    gettext(settings === 1 ? '%s setting' : '%s settings', settings),
  ].join(', ');
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  const inSources = new URL('../../../package.json', import.meta.url);
  for (const path of [file, inSources]) {
    try {
      return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8'))).version;
    } catch {
      // the sources are one folder deeper than the compiled program
    }
  }
  throw new BackupError(gettext('package.json is not there: the installation is incomplete.'));
}
