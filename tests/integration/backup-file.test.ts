import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeBackup } from '../../api/src/backup/backup-file.ts';
import { seal } from '../../api/src/backup/sealing.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const path = '/admin/backup';

let redis: OwnRedis;
let store: Redis;
let api: RunningApi;
let folder: string;

beforeAll(async () => {
  redis = await startRedis();
  store = await connectTo(redis.url);
  api = await startApi({ redisUrl: redis.url });
  folder = await mkdtemp(join(tmpdir(), 'hearth-file-'));
});
beforeEach(async () => {
  await store.flushall();
  await store.rpush('hearth:conversation:anna:exchanges', '{"user":"Grüße 🙂","assistant":"Hello."}');
  await store.hset('hearth:timers', { t1: '{"id":"t1","label":"pasta"}' });
  await store.zadd('hearth:list:shopping', 1.5, 'milk', 2, 'eggs');
  await store.hset('hearth:lists', { shopping: 'shopping', party: 'Party' }); // of which one is empty
  await store.hset('hearth:home-assistant', { url: 'http://here', token: 'walrus-secret' });
  await store.hset('hearth:voice-devices', { d: '{"key":"walrus-key"}' });
});
afterAll(async () => {
  await api?.stop();
  store?.disconnect();
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function download(): Promise<{ file: Buffer; name: string }> {
  const response = await fetch(`${api.address}${path}`);
  const name = response.headers.get('content-disposition') ?? '';
  return { file: Buffer.from(await response.arrayBuffer()), name };
}
const restore = (file: Buffer, passphrase?: string) =>
  api.call(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/gzip',
      ...(passphrase && { 'x-backup-passphrase': Buffer.from(passphrase).toString('base64') }),
    },
    body: file,
  });
/** The keys of the household. The api may record its own state at any moment. */
const keys = async () =>
  (await store.keys('hearth:*')).filter((key) => !/:(?:logs|backup|clock(?::.*)?)$/.test(key));

/** A file as `make backup` makes it, by the system's own tar. */
async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const at = await mkdtemp(join(folder, 'files-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(at, name, '..'), { recursive: true });
    await writeFile(join(at, name), text);
  }
  const tops = [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))];
  const { stdout } = await run('tar', ['-C', at, '-cz', ...tops], { encoding: 'buffer' });
  return stdout;
}

async function lines(version = '0.1.0'): Promise<string> {
  const kept = async function* () {
    yield { key: 'hearth:lists', expiresAt: null, type: 'set' as const, value: ['chores'] };
  };
  let all = '';
  for await (const line of writeBackup(kept(), { version, madeAt: new Date() })) all += line;
  return all;
}

describe('a backup file', () => {
  test('has the format of make backup, and restores the previous state', async () => {
    const before = await keys();
    const { file, name } = await download();
    await store.del('hearth:conversation:anna:exchanges', 'hearth:list:shopping', 'hearth:timers');
    await store.rpush('hearth:conversation:tom:exchanges', '{"user":"New"}');

    const answer = await restore(file);

    expect(name).toMatch(/^attachment; filename="hearth-\d{8}-\d{6}\.tar\.gz"$/);
    expect(answer).toMatchObject({
      status: 200,
      body: { version: '0.1.0', conversations: 1, lists: 2, timers: 1, settings: 0 },
    });
    expect((await keys()).sort()).toEqual(before.sort());
    expect(await store.zrange('hearth:list:shopping', 0, '-1', 'WITHSCORES')).toEqual([
      ...['milk', '1.5', 'eggs', '2'],
    ]);
    await waitFor(async () => (await store.hget('hearth:backup', 'madeAt')) !== null);
  });

  test('is readable by tar, contains no secret, and leaves local secrets in place', async () => {
    const { file } = await download();
    await writeFile(join(folder, 'it.tar.gz'), file);
    const { stdout: names } = await run('tar', ['-tzf', join(folder, 'it.tar.gz')]);
    const { stdout: text } = await run('tar', ['-xzOf', join(folder, 'it.tar.gz')]);
    await restore(file);

    expect(names).toBe('hearth/redis.jsonl\n');
    expect(text).toContain('Grüße 🙂');
    expect(text).not.toContain('walrus');
    expect(await store.hget('hearth:home-assistant', 'token')).toBe('walrus-secret');
    expect(await store.hget('hearth:voice-devices', 'd')).toBe('{"key":"walrus-key"}');
  });

  test('from make backup is restored, except for the files that only make restore writes', async () => {
    const long = `hearth/languages/en/skills/${'a-long-name-'.repeat(9)}.yaml`;
    const file = await archive({
      'hearth/redis.jsonl': await lines(),
      'hearth/secrets.env': 'SERVICE_TOKEN=other',
      [long]: 'sentences: {}',
    });

    expect(await restore(file)).toMatchObject({ status: 200 });
    expect(await store.smembers('hearth:lists')).toEqual(['chores']);
  });
});

describe('an encrypted backup', () => {
  const passphrase = 'Grüße an die Küche';
  const wrong = 'The passphrase is wrong, or the backup is damaged. Nothing has been changed.';

  async function sealed(): Promise<Buffer> {
    const plain = await archive({ 'hearth/redis.jsonl': await lines() });
    const parts = [];
    for await (const part of seal(Readable.from([plain]), passphrase)) parts.push(part);
    return Buffer.concat(parts);
  }

  test('is restored with its passphrase', async () => {
    expect(await restore(await sealed(), passphrase)).toMatchObject({ status: 200 });
    expect(await store.smembers('hearth:lists')).toEqual(['chores']);
  });

  test.each([
    ['with another passphrase', sealed, 'grusse an die kuche'],
    ['with a changed byte', async () => flipped(await sealed()), passphrase],
  ])('is refused %s, and nothing changes', async (_what, make, by) => {
    const before = await keys();

    const answer = await restore(await make(), by);

    expect(answer).toMatchObject({ status: 422, body: { error: { message: wrong } } });
    expect((await keys()).sort()).toEqual(before.sort());
  });
});

describe('an invalid backup is refused, and nothing changes', () => {
  const notOurs = 'This is not a backup of Hearth. Nothing has been changed.';
  const damaged = 'The backup is damaged: its content has changed. Nothing has been changed.';
  const good = async () => archive({ 'hearth/redis.jsonl': await lines() });

  test.each([
    ['no archive', async () => Buffer.from('hello'), notOurs],
    ['an archive that is cut off', async () => (await good()).subarray(0, -40), damaged],
    ['one with a changed byte', async () => flipped(await good()), damaged],
    ['a zip of something else', async () => gzipSync('hello'.repeat(1_000)), notOurs],
    ['an archive of other files', () => archive({ 'photos/cat.jpg': 'cat' }), notOurs],
    [
      'one that would write elsewhere',
      async () => archive({ 'hearth/redis.jsonl': await lines(), 'hearth/evil.sh': 'rm' }),
      notOurs,
    ],
    [
      'lines without their end',
      async () => archive({ 'hearth/redis.jsonl': (await lines()).split('\n').slice(0, 2).join('\n') }),
      damaged,
    ],
    [
      'one of a newer Hearth',
      async () => archive({ 'hearth/redis.jsonl': await lines('9.0.0') }),
      'The backup was made by Hearth 9.0.0, which is newer than this one (0.1.0). Update first. Nothing has been changed.',
    ],
    [
      'an encrypted one',
      async () => Buffer.from('{"hearth":"encrypted backup","form":1}\n...'),
      'This backup is encrypted. It needs the passphrase that it was made with. Nothing has been changed.',
    ],
  ])('%s', async (_what, make, message) => {
    const before = await keys();

    const answer = await restore(await make());

    expect(answer.status).toBe(422);
    expect(Object(answer.body).error).toMatchObject({ code: 'backup_unreadable', message });
    expect((await keys()).sort()).toEqual(before.sort());
  });
});

/** The checksum at the end of the zip no longer matches. */
function flipped(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  const at = changed.length - 8;
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}
