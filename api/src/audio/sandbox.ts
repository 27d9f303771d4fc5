import { existsSync } from 'node:fs';
import { ProgramError, runProgram, type Sandbox } from './run-program.ts';

export interface SandboxedProgram {
  path: string;
  /** Arguments with which it only says its version. */
  probe: readonly string[];
}

const mebibyte = 1024 * 1024;
/**
 * Memory holds a long recording several times; files only what ffmpeg has read so far. Seconds: above what
 * each caller waits, which is longest for half an hour of sound (`decode.ts`); a program that is ended by
 * this limit would leave out the rest without a word.
 */
const limits = [`--as=${1024 * mebibyte}`, `--fsize=${64 * mebibyte}`, '--cpu=60', '--core=0', '--nofile=64'];
/**
 * Threads too. Only counted by itself in a sandbox of its own: elsewhere all that its user runs would count.
 */
const maxProcesses = '--nproc=64';

const bubblewrap = '/usr/bin/bwrap';
const setpriv = '/usr/bin/setpriv';
const prlimit = '/usr/bin/prlimit';

/**
 * A busy machine may take seconds to start a program, and a process that starts may take seconds to notice
 * that it did.
 */
const maxProbeMs = 10_000;

/**
 * Tries which sandbox this system has for the program, the strictest first. One that was not seen to work is
 * not used.
 */
export async function findSandbox(
  { path, probe }: SandboxedProgram,
  { probeMs = maxProbeMs } = {},
): Promise<Sandbox> {
  for (const sandbox of candidates(path)) {
    const seen = await tryOut(sandbox, { path, probe }, probeMs);
    // Where they exist, limits can be set: only the program itself was slow.
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
