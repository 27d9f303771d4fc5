import { existsSync } from 'node:fs';
import { ProgramError, runProgram, type Sandbox } from './run-program.ts';

interface SandboxedProgram {
  path: string;
  /** Arguments that only print the version. */
  probe: readonly string[];
}

const mebibyte = 1024 * 1024;
/**
 * Memory holds a long recording several times, and files hold everything that ffmpeg has read. The CPU limit
 * is above the longest timeout of a caller, the one for half an hour of sound (`decode.ts`). Reaching the
 * limit would silently drop the rest of a recording.
 */
const limits = [`--as=${1024 * mebibyte}`, `--fsize=${64 * mebibyte}`, '--cpu=60', '--core=0', '--nofile=64'];
/**
 * Includes threads. Only used in a sandbox that counts separately: elsewhere all of the user's processes
 * would count.
 */
const maxProcesses = '--nproc=64';

const bubblewrap = '/usr/bin/bwrap';
const setpriv = '/usr/bin/setpriv';
const prlimit = '/usr/bin/prlimit';

/** A busy machine may take seconds to start a program and to notice that it runs. */
const maxProbeMs = 10_000;

/**
 * Finds the strictest sandbox that works for the program on this system. Uses none that a test run did not
 * confirm.
 */
export async function findSandbox(
  { path, probe }: SandboxedProgram,
  { probeMs = maxProbeMs } = {},
): Promise<Sandbox> {
  for (const sandbox of candidates(path)) {
    const seen = await tryOut(sandbox, { path, probe }, probeMs);
    // The tool exists, so limits work: only the program itself was slow.
    if (seen === 'works' || (seen === 'slow' && sandbox.kind === 'limits')) return sandbox;
  }
  return { kind: 'none', prefix: [] };
}

function candidates(path: string): Sandbox[] {
  const isOfSystem = !path.startsWith('/') || path.startsWith('/usr/');
  const all: Sandbox[] = [
    {
      kind: 'bubblewrap',
      prefix: [
        ...[
          bubblewrap,
          '--unshare-user',
          '--unshare-pid',
          '--unshare-net',
          '--die-with-parent',
          '--clearenv',
        ],
        ...['/usr', '/bin', '/lib', '/lib64', '/etc/ld.so.cache'].flatMap((each) => [
          '--ro-bind-try',
          each,
          each,
        ]),
        ...(isOfSystem ? [] : ['--ro-bind', path, path]),
        ...['--size', String(64 * mebibyte), '--tmpfs', '/tmp', '--chdir', '/', '--'],
        ...[prlimit, ...limits, maxProcesses, '--'],
      ],
    },
    {
      kind: 'landlock',
      prefix: [
        ...[setpriv, '--no-new-privs', '--landlock-access', 'fs'],
        ...landlockRule('execute,read-file,read-dir', '/usr'),
        ...landlockRule('read-file', '/etc/ld.so.cache'),
        ...landlockRule('read-file,write-file,make-reg,remove-file', '/tmp'),
        ...(isOfSystem ? [] : landlockRule('execute,read-file', path)),
        ...['--', prlimit, ...limits, '--'],
      ],
    },
    { kind: 'limits', prefix: [prlimit, ...limits, '--'] },
  ];
  return all.filter(({ prefix: [program = ''] }) => existsSync(program));
}

function landlockRule(access: string, path: string): string[] {
  return ['--landlock-rule', `path-beneath:${access}:${path}`];
}

async function tryOut(
  sandbox: Sandbox,
  { path, probe }: SandboxedProgram,
  timeoutMs: number,
): Promise<'works' | 'fails' | 'slow'> {
  const signal = new AbortController().signal;
  const call = { path, args: probe, sandbox, maxOutputBytes: mebibyte, timeoutMs, signal };
  return runProgram(call).then(
    ({ exitCode }) => (exitCode === 0 ? 'works' : 'fails'),
    (error: unknown) => (error instanceof ProgramError && error.fault === 'timeout' ? 'slow' : 'fails'),
  );
}
