import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let redis: OwnRedis;
let store: Redis;
/** A checkout whose Hearth seems to run, as far as scripts can see. */
let folder: string;
let runs: ReturnType<typeof spawn>;

beforeAll(async () => {
  redis = await startRedis();
  store = new Redis(redis.url);
  folder = await mkdtemp(join(tmpdir(), 'hearth-backup-'));
  for (const name of ['node_modules', 'api', 'package.json'])
    await symlink(join(root, name), join(folder, name));
  await mkdir(join(folder, '.venv/bin'), { recursive: true });
  await symlink(process.execPath, join(folder, '.venv/bin/node'));
  await mkdir(join(folder, 'scripts'));
  for (const name of ['backup', 'restore', 'backup-node', 'settings']) {
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

async function backup(): Promise<string> {
  const { stdout } = await run(join(folder, 'scripts/backup'), { env: environment() });
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

test('what was saved comes back as it was, on an empty Redis', async () => {
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

test('what came after the backup goes, and is saved before', async () => {
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

test('restored settings are a new revision, and every process is told', async () => {
  await fill();
  const file = await backup();
  await store.hset('hearth:pipeline', { revision: 9, persona: '"Be short."' });
  const subscriber = new Redis(redis.url);
  await subscriber.subscribe('hearth:settings');
  const told: string[] = [];
  subscriber.on('message', (_channel, message) => told.push(message));

  await restore(file);

  expect(await store.hgetall('hearth:pipeline')).toEqual({ revision: '10', persona: '"Be kind."' });
  expect(await store.hgetall('hearth:pipeline:9')).toEqual({ revision: '9', persona: '"Be short."' });
  expect(told).toEqual(['10']);
  subscriber.disconnect();
});

test('secrets and own sentences are part of it; a file that is there is never overwritten by another secret', async () => {
  await fill();
  await writeFile(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-first-token\n');
  await mkdir(join(folder, 'languages/en'), { recursive: true });
  await writeFile(join(folder, 'languages/en/skills.yaml'), 'talk: []\n');
  const file = await backup();
  await writeFile(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-second-token\n');
  await rm(join(folder, 'languages/en/skills.yaml'));

  const { said } = await restore(file);

  expect(said).toContain('secrets.env differs');
  expect(await readFile(join(folder, 'secrets.env'), 'utf8')).toContain('second');
  expect(await readFile(join(folder, 'languages/en/skills.yaml'), 'utf8')).toBe('talk: []\n');
});

test('nothing is restored without a yes', async () => {
  await fill();
  const file = await backup();
  await store.sadd('hearth:lists', 'party');

  const { code, said } = await restore(file, {});

  expect(code).toBe(1);
  expect(said).toContain('Nothing has been changed.');
  expect(await store.sismember('hearth:lists', 'party')).toBe(1);
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

test.each([
  ['changed in one letter', (text: string) => text.replace('pasta', 'pesto'), 'damaged'],
  ['cut short', (text: string) => text.slice(0, -40), 'damaged'],
  ['of something else', () => 'hello\n', 'not a backup'],
  ['of a newer Hearth', (text: string) => text.replace(/"version":"[^"]+"/, '"version":"99.0.0"'), 'newer'],
])('a file %s is refused before anything is changed', async (_what, change, why) => {
  await fill();
  const file = await repacked(await backup(), change);
  await store.sadd('hearth:lists', 'party');

  const { code, said } = await restore(file);

  expect(code).toBe(1);
  expect(said).toContain(why);
  expect(said).toContain('Nothing has been changed.');
  expect(await store.sismember('hearth:lists', 'party')).toBe(1);
});

test('a file that is cut off or would write elsewhere is refused', async () => {
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

test('a backup needs a Hearth that runs, and says so when its Redis is away', async () => {
  const env = environment({ REDIS_URL: 'redis://127.0.0.1:1' });

  const failed = await run(join(folder, 'scripts/backup'), { env }).catch((error: unknown) =>
    endedSchema.parse(error),
  );

  expect(failed.stderr).toContain('Redis cannot be reached');
});
