import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process that does not end when asked is killed after this. */
const endMs = 10_000;

interface ProcessesOptions {
  /** The folder for logs. */
  folder: string;
  signal: AbortSignal;
}

interface StartOptions {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
}

export type Processes = ReturnType<typeof createProcesses>;

/** Starts programs, and ends only those. */
export function createProcesses({ folder, signal }: ProcessesOptions) {
  const running = new Map<ChildProcess, string>();

  const keep = (name: string, child: ChildProcess): ChildProcess => {
    running.set(child, name);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const logFile = (name: string) => join(folder, `${name}.log`);

  const stop = async (child: ChildProcess): Promise<void> => {
    if (!running.has(child)) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), endMs);
    await once(child, 'exit');
    clearTimeout(late);
  };

  return {
    start(name: string, { command, args, env = {} }: StartOptions): ChildProcess {
      const log = openSync(logFile(name), 'a');
      return keep(
        name,
        spawn(command, args, { env: { ...plainEnvironment(), ...env }, stdio: ['ignore', log, log] }),
      );
    },

    /** A Node program of ours that accepts messages. */
    fork(name: string, script: string, args: readonly string[] = []): ChildProcess {
      const log = openSync(logFile(name), 'a');
      return keep(name, fork(script, args, { env: plainEnvironment(), stdio: ['ignore', log, log, 'ipc'] }));
    },

    /** Waits until `isSo`; if that takes too long or a program has ended, the error names the log to read. */
    async until(isSo: () => Promise<boolean>, { what, child, withinMs }: UntilOptions): Promise<void> {
      const deadline = performance.now() + withinMs;
      while (!(await isSo())) {
        signal.throwIfAborted();
        if (child.exitCode === null && performance.now() < deadline) {
          await delay(2);
          continue;
        }
        const name = running.get(child);
        const words = name
          ? readFileSync(logFile(name), 'utf8').slice(-2_000)
          : `it ended with ${child.exitCode}`;
        throw new Error(`${what} did not come: ${words}`);
      }
    },

    stop,

    /** The last one started ends first: callers before the servers that answer them. */
    async stopAll(): Promise<void> {
      for (const child of [...running.keys()].reverse()) await stop(child);
    },

    /** For the moments without an event to wait for. */
    killAll(): void {
      for (const child of running.keys()) child.kill('SIGKILL');
    },
  };
}

interface UntilOptions {
  what: string;
  child: ChildProcess;
  withinMs: number;
}

/** The caller's own settings must not change the measurement. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/** All processes that a program has started, and those that they have started. */
export async function pidsBelow({ pid: top = 0 }: ChildProcess): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...below(pid)] : []));
  return below(top);
}

/** Resident memory in MB (10^6 bytes). */
export async function residentMb({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return (Number(stdout) * 1_024) / 1e6;
}

/** CPU time of a process over all cores; null if /proc does not report it. */
export async function cpuMs({ pid }: ChildProcess): Promise<number | null> {
  return (await statOf(Number(pid)))?.cpuMs ?? null;
}

/** The same for all programs with a name that this process or its children have started. */
export async function cpuMsOfAll(named: RegExp): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const all = (await Promise.all(pids.map(statOf))).filter((stat) => stat !== null);
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return all
    .filter(({ pid, name }) => named.test(name) && isOurs(pid))
    .reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name in brackets and may hold spaces. User and system time come in
  // hundredths of a second.
  const [from, to] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const fields = stat.slice(to + 2).split(' ');
  const cpuMs = 10 * (Number(fields[11]) + Number(fields[12]));
  return { pid, name: stat.slice(from + 1, to), parent: Number(fields[1]), cpuMs };
}

/** The output of a program; undefined if it is missing or fails. */
export async function outputOf(command: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await run(command, args, { timeout: 10_000 })).stdout.trim();
  } catch {
    return undefined; // Checks only whether the program exists.
  }
}
