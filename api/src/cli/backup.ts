import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { BackupError, type KeptKey, readBackup, writeBackup } from '../backup/backup-file.ts';
import { restoreSnapshot, takeSnapshot } from '../backup/snapshot.ts';
import { ConfigError, readConfig } from '../config.ts';
import { keys } from '../redis/keys.ts';

/** Redis answers within this, or not at all. */
const answerMs = 30_000;

try {
  await main(process.argv[2] ?? '');
  process.exit();
} catch (error) {
  const isTold = error instanceof BackupError || error instanceof ConfigError;
  process.stderr.write(`${isTold ? error.message : `Redis cannot be reached: ${error}`}\n`);
  process.exit(1);
}

/** `save` writes a backup of Redis to the output; `check` and `load` read one. */
async function main(what: string): Promise<void> {
  if (what === 'save') return withRedis(save);
  if (what !== 'check' && what !== 'load') throw new BackupError('Use save, check or load.');
  // All of it is read and found whole before anything is changed.
  const { header, kept } = readBackup(await text(process.stdin), version());
  process.stderr.write(`Made ${header.madeAt} by Hearth ${header.version}: ${contentsOf(kept)}.\n`);
  if (what === 'load') await withRedis((redis) => restoreSnapshot(redis, kept));
}

async function save(redis: Redis): Promise<void> {
  const kept = await takeSnapshot(redis);
  await new Promise<void>((resolve) => {
    process.stdout.write(writeBackup(kept, { version: version(), madeAt: new Date() }), () => resolve());
  });
  process.stderr.write(`Saved: ${contentsOf(kept)}.\n`);
}

async function withRedis(work: (redis: Redis) => Promise<void>): Promise<void> {
  const { redisUrl } = readConfig(process.env);
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    commandTimeout: answerMs,
  });
  redis.on('error', () => undefined); // told by the command that fails
  try {
    await redis.connect();
    await work(redis);
  } finally {
    redis.disconnect();
  }
}

function contentsOf(kept: readonly KeptKey[]): string {
  const count = (pattern: RegExp) => kept.filter(({ key }) => pattern.test(key)).length;
  const held = (key: string) => {
    const found = kept.find((each) => each.key === key);
    return found && typeof found.value !== 'string' ? found.value.length : 0;
  };
  const many = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return [
    many(count(/^hearth:conversation:.*:exchanges$/), 'conversation'),
    many(count(/^hearth:list:/), 'list'),
    many(held(keys.timers.of()), 'timer'),
    many(Math.max(0, held(keys.settings.of()) - 1), 'setting'),
  ].join(', ');
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  const inSources = new URL('../../../package.json', import.meta.url);
  for (const path of [file, inSources]) {
    try {
      return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8'))).version;
    } catch {
      // the sources lie one folder deeper than the compiled program
    }
  }
  throw new BackupError('package.json is not there: the installation is incomplete.');
}
