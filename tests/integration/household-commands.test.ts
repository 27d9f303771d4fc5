import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { projectFile } from '../../api/src/wiring/installation.ts';

const root = join(projectFile('package.json'), '..');
const endedSchema = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-commands-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function run(command: string, cwd: string, env: Record<string, string> = {}) {
  const environment = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder, ...env };
  return promisify(execFile)('bash', ['-c', command], { cwd, env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => endedSchema.parse(error),
  );
}

describe('make update', () => {
  const house = () => join(folder, 'house');
  const written = async () =>
    (await readFile(join(folder, 'did'), 'utf8').catch(() => '')).trim().split('\n');

  /**
   * A household in containers, with stand-ins for the start and the check, and an available newer version.
   */
  beforeEach(async () => {
    const upstream = join(folder, 'upstream');
    await mkdir(join(upstream, 'scripts'), { recursive: true });
    await mkdir(join(folder, 'bin'));
    for (const name of ['update', 'settings', 'messages'])
      await cp(join(root, 'scripts', name), join(upstream, 'scripts', name));
    const standIn = (name: string, body: string) =>
      writeFile(join(upstream, 'scripts', name), `#!/bin/sh\n${body}\n`).then(() =>
        chmod(join(upstream, 'scripts', name), 0o755),
      );
    const version = '$(cat version)';
    await standIn('up', `echo "up ${version}" >>../did; test ! -e "../no-start-${version}"`);
    await standIn('status', 'exit 0');
    await standIn('check-up', `echo "check ${version}" >>../did; test ! -e "../ill-${version}"`);
    await standIn('backup', 'echo "backup" >>../did; echo backups/b.tar.gz');
    await standIn('restore', 'echo "restore $1" >>../did');
    await writeFile(join(folder, 'bin/docker'), '#!/bin/sh\necho id\n', { mode: 0o755 });
    const git = 'git -c user.name=a -c user.email=a@example.com';
    const made = await run(
      `git init -q -b main . && echo 1 >version && git add . && ${git} commit -qm one && git clone -q . ../house && echo 2 >version && ${git} commit -qam two`,
      upstream,
    );
    expect(made.code).toBe(0);
  });

  test('saves, fetches the new version, starts and checks it', async () => {
    const { code, stdout } = await run('scripts/update', house());

    expect(code).toBe(0);
    expect(stdout).toContain('Hearth runs the new version.');
    expect(await written()).toEqual(['backup', 'check 1', 'up 2', 'check 2']);
    expect((await run('scripts/update', house())).stdout).toBe('This is the newest version.\n');
  });

  test.each([
    ['cannot start', 'no-start-2', ['backup', 'check 1', 'up 2', 'up 1', 'restore backups/b.tar.gz']],
    [
      'fails its check',
      'ill-2',
      ['backup', 'check 1', 'up 2', 'check 2', 'up 1', 'restore backups/b.tar.gz'],
    ],
  ])('reverts if the new version %s', async (_what, mark, expected) => {
    await writeFile(join(folder, mark), '');

    const { code, stderr } = await run('scripts/update', house());

    expect(code).toBe(1);
    expect(stderr).toContain('The old version runs again');
    expect(await written()).toEqual(expected);
    expect(await readFile(join(house(), 'version'), 'utf8')).toBe('1\n');
  });

  test('keeps the new version if the old one was no better', async () => {
    await writeFile(join(folder, 'ill-1'), '');
    await writeFile(join(folder, 'ill-2'), '');

    expect((await run('scripts/update', house())).code).toBe(0);
  });

  test('changes nothing if files of Hearth were changed', async () => {
    await writeFile(join(house(), 'version'), 'mine\n');

    const { code, stderr } = await run('scripts/update', house());

    expect({ code, did: await written() }).toEqual({ code: 1, did: [''] });
    expect(stderr).toContain('You have changed files of Hearth');
  });
});

test('make logs formats each line of ours, and leaves the lines of other programs', async () => {
  const lines = [
    '{"level":"info","time":"2026-11-24T16:02:32.348Z","process":"api","name":"Anna","msg":"a phone was \\"paired\\""}',
    'redis is ready',
    'api-1  | {"level":"warn","time":"2026-11-24T16:02:33.348Z","process":"worker","err":{"type":"Error","message":"no"},"msg":"it failed"}',
  ];
  await mkdir(join(folder, 'house/data/logs'), { recursive: true });
  await cp(join(root, 'scripts'), join(folder, 'house/scripts'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/docker'), '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(folder, 'house/data/logs/api.log'), `${lines.join('\n')}\n`);

  const readable = await run('scripts/logs', join(folder, 'house'));
  const raw = await run('scripts/logs', join(folder, 'house'), { RAW: '1' });

  expect(readable.stdout.trimEnd().split('\n')).toEqual([
    '16:02:32 api       a phone was "paired" name=Anna',
    'redis is ready',
    '16:02:33 worker    WARN it failed: no',
  ]);
  expect(raw.stdout.trimEnd().split('\n')).toEqual(lines);
});

test('make service writes a unit for this folder and this user', async () => {
  const { stdout } = await run('scripts/service show', root);

  expect(stdout).toContain(`\nWorkingDirectory=${root.replaceAll('%', '%%')}\n`);
  expect(stdout).toContain(`\nExecStart="${root.replaceAll('%', '%%')}/scripts/run"\n`);
  expect(stdout).toContain('\nRestart=on-failure\n');
  expect(stdout).not.toContain('User=\n');
});

describe('containers of another folder', () => {
  const elsewhere = '/srv/other-hearth';
  /**
   * Docker, with a Hearth that was started from another folder. It answers to labels as the real one does.
   */
  const docker = (of: string) => `#!/bin/sh
case "$*" in
  *working_dir=${of}*) echo 1f2e ;;
  *working_dir=*) ;;
  *--format*) echo ${of} ;;
  "compose version"*|info*) ;;
  *) echo "docker $*" >>"${join(folder, 'did')}" ;;
esac
`;
  const house = () => join(folder, 'house');
  beforeEach(async () => {
    await cp(join(root, 'scripts'), join(house(), 'scripts'), { recursive: true });
    await cp(join(root, 'secrets.env.example'), join(house(), 'secrets.env.example'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/docker'), docker(elsewhere), { mode: 0o755 });
  });
  const did = () => readFile(join(folder, 'did'), 'utf8').catch(() => '');

  test.each(['status', 'check-up', 'logs', 'down', 'token', 'routines'])(
    'are not changed by scripts/%s',
    async (name) => {
      await run(`scripts/${name}`, house(), { DEVICE: 'kitchen' });

      expect(await did()).toBe('');
    },
  );

  test('stop make up from taking them over', async () => {
    const { code, stderr } = await run('scripts/up', house());

    expect(code).toBe(1);
    expect(stderr).toContain(`A Hearth of another folder is here in containers: ${elsewhere}.`);
    expect(await did()).not.toContain('build');
  });

  test('are distinguished from those of this folder', async () => {
    await writeFile(join(folder, 'bin/docker'), docker(house()), { mode: 0o755 });

    await run('scripts/status', house());

    expect(await did()).toContain('exec -T -e HOST=localhost api node dist/cli/status.js');
  });
});

test('make down says so when Hearth does not run', async () => {
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/docker'), '#!/bin/sh\n', { mode: 0o755 });

  expect(await run('scripts/down', folder)).toEqual({
    code: 0,
    stdout: 'Hearth is not running here.\n',
    stderr: '',
  });
});
