/** @module-tag slow */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let redis: OwnRedis;
let store: Redis;
/** A checkout whose Hearth seems to run, as far as scripts can see. */
let folder: string;
let runs: ReturnType<typeof spawn>;

beforeAll(async () => {
  redis = await startRedis();
  store = await connectTo(redis.url);
  folder = await mkdtemp(join(tmpdir(), 'hearth-backup-'));
  for (const name of ['node_modules', 'api', 'package.json'])
    await symlink(join(root, name), join(folder, name));
  await mkdir(join(folder, '.venv/bin'), { recursive: true });
  await symlink(process.execPath, join(folder, '.venv/bin/node'));
  await mkdir(join(folder, 'scripts'));
  for (const name of [
    'backup',
    'restore',
    'backup-node',
    'backup-open',
    'backup-files',
    'settings',
    'messages',
  ]) {
    await cp(join(root, 'scripts', name), join(folder, 'scripts', name));
  }
  await mkdir(join(folder, 'data/run'), { recursive: true });
  await writeFile(join(folder, 'data/run/lock'), '');
  runs = spawn('flock', [join(folder, 'data/run/lock'), 'sleep', '600'], { stdio: 'ignore', detached: true });
});
beforeEach(async () => {
  await store.flushall();
  await rm(join(folder, 'backups'), { recursive: true, force: true });
});
afterAll(async () => {
  if (runs?.pid) process.kill(-runs.pid);
  store?.disconnect();
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

const endedSchema = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() });

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: folder,
  REDIS_URL: redis.url,
  ...more,
});

async function backup(more: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run(join(folder, 'scripts/backup'), { env: environment(more) });
  return join(folder, stdout.trim());
}

async function restore(file: string, more: Record<string, string> = { YES: '1' }) {
  const running = run(join(folder, 'scripts/restore'), [file], { env: environment(more) });
  running.child.stdin?.end();
  const ended = await running.then(
    (said) => ({ code: 0, ...said }),
    (error: unknown) => endedSchema.parse(error),
  );
  return { code: ended.code, said: ended.stdout + ended.stderr };
}

/** The data of a household. */
async function fill(): Promise<void> {
  await store.rpush(
    'hearth:conversation:anna:exchanges',
    '{"user":"Grüße, \\"Anna\\" 🙂","assistant":"Hello."}',
  );
  await store.expire('hearth:conversation:anna:exchanges', 2_000_000);
  await store.hset('hearth:conversation:anna:meta', { count: 1, promptFrom: 0 });
  await store.hset('hearth:timers', { t1: '{"id":"t1","label":"pasta"}' });
  await store.zadd('hearth:list:shopping', 1.5, 'milk', 2, 'eggs');
  await store.sadd('hearth:lists', 'shopping');
  await store.hset('hearth:pipeline', { revision: 4, persona: '"Be kind."' });
  await store.set('hearth:turn:1', 'passing');
  await store.rpush('hearth:respond:wait', 'job');
  await store.set('others:key', 'untouched');
}

const kept = [
  'hearth:conversation:anna:exchanges',
  'hearth:conversation:anna:meta',
  'hearth:list:shopping',
  'hearth:lists',
  'hearth:pipeline',
  'hearth:timers',
];

test('a restore on an empty Redis returns the saved state', async () => {
  await fill();
  const file = await backup();
  const dumps = await Promise.all(
    kept.filter((key) => key !== 'hearth:pipeline').map((key) => store.dump(key)),
  );
  await store.flushall();

  const { code } = await restore(file);

  expect(code).toBe(0);
  expect((await store.keys('*')).toSorted()).toEqual(kept);
  const back = await Promise.all(
    kept.filter((key) => key !== 'hearth:pipeline').map((key) => store.dump(key)),
  );
  expect(back).toEqual(dumps);
  const ttl = await store.ttl('hearth:conversation:anna:exchanges');
  expect(ttl).toBeGreaterThan(1_999_900);
  expect(ttl).toBeLessThanOrEqual(2_000_000);
  expect(await store.ttl('hearth:timers')).toBe(-1);
});

test('a restore replaces later data, and saves it before', async () => {
  await fill();
  const file = await backup();
  await store.sadd('hearth:lists', 'party');
  await store.set('hearth:later', 'x');

  await restore(file);

  expect(await store.smembers('hearth:lists')).toEqual(['shopping']);
  expect(await store.exists('hearth:later')).toBe(0);
  expect(await store.get('hearth:turn:1')).toBe('passing');
  expect(await store.get('others:key')).toBe('untouched');
  expect(
    (await readdir(join(folder, 'backups'))).filter((name) => name.startsWith('before-restore-')),
  ).toHaveLength(1);
});

test('restored settings are a new revision, and reach every process', async () => {
  await fill();
  const file = await backup();
  await store.hset('hearth:pipeline', { revision: 9, persona: '"Be short."' });
  const subscriber = await connectTo(redis.url);
  await subscriber.subscribe('hearth:settings');
  const told: string[] = [];
  subscriber.on('message', (_channel, message) => told.push(message));

  await restore(file);

  expect(await store.hgetall('hearth:pipeline')).toEqual({ revision: '10', persona: '"Be kind."' });
  expect(await store.hgetall('hearth:pipeline:9')).toEqual({ revision: '9', persona: '"Be short."' });
  expect(told).toEqual(['10']);
  subscriber.disconnect();
});

test('a backup includes secrets, own sentences and wake words; a restore never overwrites an existing secret', async () => {
  await fill();
  await writeFile(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-first-token\n');
  await mkdir(join(folder, 'languages/en'), { recursive: true });
  await writeFile(join(folder, 'languages/en/skills.yaml'), 'talk: []\n');
  await mkdir(join(folder, 'wake-words'), { recursive: true });
  await writeFile(join(folder, 'wake-words/computer.tflite'), Buffer.from([0, 255, 10, 13]));
  const file = await backup();
  await rm(join(folder, 'wake-words'), { recursive: true });
  await writeFile(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-second-token\n');
  await rm(join(folder, 'languages/en/skills.yaml'));

  const { said } = await restore(file);

  expect(said).toContain('secrets.env differs');
  expect(await readFile(join(folder, 'wake-words/computer.tflite'))).toEqual(Buffer.from([0, 255, 10, 13]));
  expect(await readFile(join(folder, 'secrets.env'), 'utf8')).toContain('second');
  expect(await readFile(join(folder, 'languages/en/skills.yaml'), 'utf8')).toBe('talk: []\n');
});

test('a restore needs a yes', async () => {
  await fill();
  const file = await backup();
  await store.sadd('hearth:lists', 'party');

  const { code, said } = await restore(file, {});

  expect(code).toBe(1);
  expect(said).toContain('There was no answer.');
  expect(said).toContain('YES=1');
  expect(said).toContain('Nothing has been changed.');
  expect(await store.sismember('hearth:lists', 'party')).toBe(1);
});

/** Words of a household, this many MB. */
async function fillMuch(megabytes: number): Promise<void> {
  const exchanges = Array.from(
    { length: 200 },
    (_, at) => `{"user":"${at}","assistant":"${'word '.repeat(200)}"}`,
  );
  const conversations = Math.ceil((megabytes * 1e6) / exchanges.join('').length);
  for (let at = 0; at < conversations; at += 1)
    await store
      .multi()
      .rpush(`hearth:conversation:c${at}:exchanges`, ...exchanges)
      .zadd('hearth:conversations', at, `c${at}`)
      .exec();
}

test('backup and restore of large data need little memory', async () => {
  await fillMuch(24);
  const digest = async () => {
    const names = (await store.keys('hearth:conversation:*')).toSorted();
    const hash = createHash('sha256');
    for (const name of names) hash.update(`${name}\n${await store.lrange(name, 0, -1)}\n`);
    hash.update(String(await store.zrange('hearth:conversations', 0, '-1', 'WITHSCORES')));
    return hash.digest('hex');
  };
  const before = await digest();
  const little = { NODE_OPTIONS: '--max-old-space-size=48' };

  const file = await backup(little);
  await store.sadd('hearth:lists', 'party');
  const { code } = await restore(file, { YES: '1', ...little });

  expect(code).toBe(0);
  expect(await digest()).toBe(before);
});

async function repacked(file: string, change: (text: string) => string): Promise<string> {
  const work = await mkdtemp(join(folder, 'repack-'));
  await run('tar', ['-C', work, '-xzf', file]);
  const inside = join(work, 'hearth/redis.jsonl');
  await writeFile(inside, change(await readFile(inside, 'utf8')));
  const other = join(work, 'other.tar.gz');
  await run('tar', ['-C', work, '-czf', other, 'hearth']);
  return other;
}

/** The same backup with one more line and a valid checksum. */
function foreign(text: string, key: unknown): string {
  const line = JSON.stringify({ key, expiresAt: null, type: 'string', value: 'x' });
  const lines = `${text.split('\n').slice(0, -2).join('\n')}\n${line}\n`;
  const sha256 = createHash('sha256').update(lines).digest('hex');
  return `${lines}${JSON.stringify({ end: true, sha256 })}\n`;
}

describe('an incomplete or foreign file', () => {
  let whole: string;
  beforeAll(async () => {
    await store.flushall();
    await fill();
    whole = join(folder, 'whole.tar.gz');
    await rename(await backup(), whole);
  });

  test.each([
    ['changed in one letter', (text: string) => text.replace('pasta', 'pesto'), 'damaged'],
    ['cut short', (text: string) => text.slice(0, -40), 'damaged'],
    ['of something else', () => 'hello\n', 'not a backup'],
    [
      'of a newer form',
      (text: string) => text.replace(/"form":\d+/, '"form":99'),
      'has a form that is newer',
    ],
    ['with a key of something else', (text: string) => foreign(text, 'others:key'), 'belongs in none'],
    ['with a key of a queue', (text: string) => foreign(text, 'hearth:respond:wait'), 'belongs in none'],
    ['with an unreadable line', (text: string) => foreign(text, 7), 'cannot read'],
    ['of a newer Hearth', (text: string) => text.replace(/"version":"[^"]+"/, '"version":"99.0.0"'), 'newer'],
  ])('that is %s is refused before anything changes', async (_what, change, why) => {
    await fill();
    const file = await repacked(whole, change);
    await store.sadd('hearth:lists', 'party');

    const { code, said } = await restore(file);

    expect(code).toBe(1);
    expect(said).toContain(why);
    expect(said).toContain('Nothing has been changed.');
    expect(await store.sismember('hearth:lists', 'party')).toBe(1);
  });
});

test('that is truncated or would write elsewhere is refused', async () => {
  await fill();
  const file = await backup();
  const bytes = await readFile(file);
  const cut = join(folder, 'cut.tar.gz');
  await writeFile(cut, bytes.subarray(0, bytes.length - 30));
  const work = await mkdtemp(join(folder, 'evil-'));
  await mkdir(join(work, 'hearth'));
  await symlink('/etc/passwd', join(work, 'hearth/secrets.env'));
  const evil = join(folder, 'evil.tar.gz');
  await run('tar', ['-C', work, '-czf', evil, 'hearth']);

  const all = [await restore(cut), await restore(evil), await restore(join(folder, 'none.tar.gz'))];

  expect(all.map(({ code }) => code)).toEqual([1, 1, 1]);
});

test('a backup in the previous format is restored', async () => {
  await fill();
  const file = await repacked(await backup(), (text) => {
    const [head = '', ...lines] = text.split('\n').slice(0, -2);
    const body = `${lines.join('\n')}\n`;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { version, madeAt } = z.object({ version: z.string(), madeAt: z.string() }).parse(JSON.parse(head));
    return `${JSON.stringify({ form: 1, version, madeAt, keys: lines.length, sha256 })}\n${body}`;
  });
  await store.flushall();

  const { code } = await restore(file);

  expect(code).toBe(0);
  expect((await store.keys('*')).toSorted()).toEqual(kept);
});

test('a restore without a running server reports that and changes nothing', async () => {
  await fill();
  const file = await backup();
  const { code, said } = await restore(file, { YES: '1', DATA_DIR: join(folder, 'elsewhere') });

  expect(code).toBe(1);
  expect(said).toBe(
    'Hearth is not running here. Start it first: make up or make run.\nNothing has been changed.\n',
  );
});

test('restored sentences are readable by everyone, secrets only by their owner', async () => {
  await fill();
  await mkdir(join(folder, 'languages/en'), { recursive: true });
  await writeFile(join(folder, 'languages/en/skills.yaml'), 'talk: []\n');
  await writeFile(join(folder, 'languages/en/old.yaml'), 'talk: []\n');
  await writeFile(join(folder, '.env'), 'PORT=8765\n');
  const file = await backup();
  await rm(join(folder, 'languages/en/skills.yaml'));
  await rm(join(folder, '.env'));
  await chmod(join(folder, 'languages/en/old.yaml'), 0o600);
  await chmod(join(folder, 'languages/en'), 0o700);

  await restore(file);

  const modes = ['languages/en', 'languages/en/skills.yaml', 'languages/en/old.yaml', '.env'].map(
    async (name) => ((await stat(join(folder, name))).mode & 0o777).toString(8),
  );
  expect(await Promise.all(modes)).toEqual(['755', '644', '644', '600']);
  await rm(join(folder, '.env'));
  await rm(join(folder, 'languages'), { recursive: true });
});

test('two concurrent backups have different names, and only our last ones are kept', async () => {
  await fill();
  const folderOf = join(folder, 'backups');
  await mkdir(folderOf, { recursive: true });
  await writeFile(join(folderOf, 'hearth-20200101-000000.tar.gz'), 'a file of somebody else');
  await writeFile(join(folderOf, 'hearth-notes.txt'), 'notes');

  const files = [...(await Promise.all([backup(), backup()])), await backup({ BACKUP_KEEP: '3' })];

  expect(new Set(files).size).toBe(3);
  const there = (await readdir(folderOf)).filter((name) => !name.startsWith('.'));
  const theirs = ['hearth-20200101-000000.tar.gz', 'hearth-notes.txt'];
  expect(there.toSorted()).toEqual([...files.map((file) => basename(file)), ...theirs].toSorted());

  const last = await backup({ BACKUP_KEEP: '1' });

  const left = (await readdir(folderOf)).filter((name) => !name.startsWith('.'));
  expect(left.toSorted()).toEqual([basename(last), ...theirs].toSorted());
});

describe('an encrypted backup', () => {
  const secret = { BACKUP_PASSPHRASE: 'correct horse battery' };

  test('is restored with its passphrase, and reveals nothing without it', async () => {
    await fill();
    const file = await backup(secret);
    await store.flushall();

    const without = await restore(file);
    const wrong = await restore(file, { YES: '1', BACKUP_PASSPHRASE: 'incorrect horse' });
    const gone = await store.dbsize();
    const right = await restore(file, { YES: '1', ...secret });

    expect(file).toMatch(/\.tar\.gz\.enc$/);
    expect((await readFile(file)).includes('hearth/')).toBe(false);
    expect([without.said, wrong.said]).toEqual([
      expect.stringContaining('is encrypted. Set BACKUP_PASSPHRASE'),
      expect.stringContaining('The passphrase is wrong'),
    ]);
    expect([without.code, wrong.code, right.code, gone]).toEqual([1, 1, 0, 0]);
    expect(await store.smembers('hearth:lists')).toEqual(['shopping']);
  });

  test('is refused with a weak passphrase, and the check reports that', async () => {
    await fill();

    const failed = await backup({ BACKUP_PASSPHRASE: 'short' }).catch((error: unknown) =>
      endedSchema.parse(error),
    );

    expect(failed).toMatchObject({ stderr: 'BACKUP_PASSPHRASE must have at least 12 characters.\n' });
    expect(await readdir(join(folder, 'backups'))).toEqual([]);
    expect(await store.hget('hearth:backup', 'reason')).toBe(
      'BACKUP_PASSPHRASE must have at least 12 characters.',
    );
  });
});

test('a backup needs a running Hearth, and reports a missing Redis', async () => {
  const env = environment({ REDIS_URL: 'redis://127.0.0.1:1' });

  const failed = await run(join(folder, 'scripts/backup'), { env }).catch((error: unknown) =>
    endedSchema.parse(error),
  );

  expect(failed.stderr).toContain('Redis cannot be reached');
});
