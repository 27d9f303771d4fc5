/** @module-tag slow */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const owner = 'Correct-Horse-Battery-Staple';

let redis: OwnRedis;
let api: RunningApi;
/** A checkout whose Hearth runs, as far as scripts can see. */
let folder: string;
let runs: ReturnType<typeof spawn>;

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: owner } });
  folder = await mkdtemp(join(tmpdir(), 'hearth-token-'));
  for (const name of ['node_modules', 'api', 'package.json'])
    await symlink(join(root, name), join(folder, name));
  for (const name of [
    'Makefile',
    'secrets.env.example',
    'scripts/token',
    'scripts/settings',
    'scripts/messages',
  ])
    await cp(join(root, name), join(folder, name));
  await mkdir(join(folder, '.venv/bin'), { recursive: true });
  await symlink(process.execPath, join(folder, '.venv/bin/node'));
  await mkdir(join(folder, 'data/run'), { recursive: true });
  await writeFile(join(folder, 'data/run/lock'), '');
  await writeFile(join(folder, 'secrets.env'), `SERVICE_TOKEN=${owner}\n`);
  runs = spawn('flock', [join(folder, 'data/run/lock'), 'sleep', '600'], { stdio: 'ignore', detached: true });
});
afterAll(async () => {
  if (runs?.pid) process.kill(-runs.pid);
  await api?.stop();
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

const endedSchema = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** Runs `make token` as a person types it. */
async function makeToken(args: string[], env: Record<string, string> = {}) {
  const environment = { PATH: process.env['PATH'], PORT: String(api.port), ...env };
  const ending = run('make', ['--silent', 'token', ...args], { cwd: folder, env: environment });
  return await ending.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => endedSchema.parse(error),
  );
}
const statusWith = async (path: string, token: string) =>
  (await api.call(path, { headers: { authorization: `Bearer ${token}` } })).status;

test('a token is created for a device, alone on the output, and revoked', async () => {
  const { code, stdout, stderr } = await makeToken(['NAME=Annas tablet', 'SCOPE=look']);
  const token = stdout.trim();

  expect([code, stdout]).toEqual([0, expect.stringMatching(/^hearth_[\w-]{43}\n$/)]);
  expect(stderr).toContain('The access key of "Annas tablet", with the scope look.');
  expect([await statusWith('/admin/turns', token), await statusWith('/admin/restart', token)]).toEqual([
    200, 200,
  ]);
  expect(await makeToken(['NAME=Annas tablet', 'REVOKE=1'])).toMatchObject({ code: 0, stdout: '' });
  expect(await statusWith('/v1/models', token)).toBe(401);
});

test('a token without a scope may only talk', async () => {
  const { stdout } = await makeToken(['NAME=kitchen']);

  expect([
    await statusWith('/v1/models', stdout.trim()),
    await statusWith('/admin/turns', stdout.trim()),
  ]).toEqual([200, 403]);
});

test.each([
  [['NAME=bath', 'SCOPE=everything'], /"scope" must be/],
  [['NAME=a/b'], /"name"/],
  [['NAME=nobody', 'REVOKE=1'], /There is no access key with this name/],
])('%j is refused with the reason', async (args, why) => {
  const { code, stdout, stderr } = await makeToken(args);

  expect([code > 0, stdout]).toEqual([true, '']);
  expect(stderr).toMatch(why);
});

test('a token that Hearth takes only after a restart is named as the reason', async () => {
  await writeFile(join(folder, 'secrets.env'), 'SERVICE_TOKEN=Another-Horse-Battery-Staple\n');
  try {
    const { code, stdout, stderr } = await makeToken(['NAME=kitchen']);

    expect([code > 0, stdout]).toEqual([true, '']);
    expect(stderr).toContain('Hearth does not run with the SERVICE_TOKEN in secrets.env. Restart Hearth');
  } finally {
    await writeFile(join(folder, 'secrets.env'), `SERVICE_TOKEN=${owner}\n`);
  }
});

test('make token without a typed NAME handles SERVICE_TOKEN', async () => {
  const { code, stdout } = await makeToken([], { NAME: 'name-of-this-machine' });

  expect(code).toBe(0);
  expect(stdout).toContain('secrets.env already has an access key.');
  expect(await readFile(join(folder, 'secrets.env'), 'utf8')).toBe(`SERVICE_TOKEN=${owner}\n`);
});
