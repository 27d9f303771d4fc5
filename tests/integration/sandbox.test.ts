import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../api/src/audio/run-program.ts';
import { ProgramError, runProgram } from '../../api/src/audio/run-program.ts';
import { findSandbox } from '../../api/src/audio/sandbox.ts';

const shell = { path: '/bin/sh', probe: ['-c', 'true'] };

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await findSandbox(shell);
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a shell in the sandbox. */
async function inside(script: string, timeoutMs = 20_000) {
  const { output, exitCode } = await runProgram({
    path: shell.path,
    args: ['-c', script],
    sandbox,
    maxOutputBytes: 100_000,
    timeoutMs,
    signal: new AbortController().signal,
  });
  return { said: output.toString().trim(), exitCode };
}

describe('a sandbox', () => {
  test('still runs its program', async () => {
    expect(await inside('echo done; exit 3')).toEqual({ said: 'done', exitCode: 3 });
  });

  test('reports a missing program', async () => {
    const call = { path: '/nowhere/ffmpeg', args: [], maxOutputBytes: 100, timeoutMs: 5_000 };
    const failed = await runProgram({ ...call, sandbox, signal: new AbortController().signal }).catch(
      (error: unknown) => error,
    );

    expect(failed).toBeInstanceOf(ProgramError);
    expect(failed).toMatchObject({ fault: 'missing' });
    expect((await findSandbox({ path: '/nowhere/ffmpeg', probe: [] })).kind).toBe('none');
  });

  test('is used only after a successful test', async () => {
    // A starting process may be too busy to notice in time that a program has ended.
    const found = findSandbox(shell, { probeMs: 100 });
    const until = performance.now() + 300;
    while (performance.now() < until);

    const { output } = await runProgram({
      ...{ path: shell.path, args: ['-c', 'echo done'], sandbox: await found },
      ...{ maxOutputBytes: 100, timeoutMs: 20_000, signal: new AbortController().signal },
    });

    expect(output.toString()).toBe('done\n');
  });

  test.skipIf(process.platform !== 'linux')('limits memory, files and time', async () => {
    const { said } = await inside('ulimit -v; ulimit -f; ulimit -t; ulimit -c; ulimit -n');

    // In kibibytes, blocks of 512 bytes, seconds.
    expect(said.split('\n')).toEqual(['1048576', '131072', '60', '0', '64']);
  });

  test('ends with its call', async () => {
    await expect(inside('exec sleep 60', 300)).rejects.toMatchObject({ fault: 'timeout' });
  });

  describe('with restricted files (needs bubblewrap or Landlock)', () => {
    test("hides the household's files and our environment", async (context) => {
      if (sandbox.kind !== 'bubblewrap' && sandbox.kind !== 'landlock') return context.skip();
      writeFileSync(join(folder, 'secrets.env'), 'SERVICE_TOKEN=secret');
      const secrets = [
        join(import.meta.dirname, '../../package.json'),
        `/proc/${process.pid}/environ`,
        '/etc/passwd',
      ];

      for (const file of secrets) {
        expect(await inside(`cat ${file} 2>&-`), file).toMatchObject({ said: '', exitCode: 1 });
      }
    });

    test('of bubblewrap has no network', async (context) => {
      if (sandbox.kind !== 'bubblewrap') return context.skip();
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const knock = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`;

      const { said } = await inside(`bash -c '${knock}' 2>&-`);
      server.close();

      expect(said).toBe('');
    });
  });
});
