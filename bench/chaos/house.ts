import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { createProcesses, freePort, pidsBelow } from '../processes.ts';
import { type EngineSpeeds, openLine, startChaosEngines } from './engines.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The programs of `make run`, by the names that its supervisor gives them. */
const groups = { api: 'hearth:api', worker: 'hearth:worker', redis: 'redis:redis' } as const;
export type ProgramName = keyof typeof groups;
export const programs = ['api', 'worker', 'redis'] as const satisfies ProgramName[];

/** The first start may have to install missing parts. */
const startMs = 300_000;
const endMs = 30_000;

export type ChaosHouse = Awaited<ReturnType<typeof startChaosHouse>>;

interface ChaosHouseOptions {
  folder: string;
  signal: AbortSignal;
  /** Additional environment variables. */
  settings?: Record<string, string>;
  speeds?: EngineSpeeds;
}

/**
 * A whole household by `make run`, in a separate data folder, on engines of known speed. All of it is on
 * 127.0.0.1.
 */
export async function startChaosHouse({ folder, signal, settings = {}, speeds }: ChaosHouseOptions) {
  const processes = createProcesses({ folder, signal });
  // If this program ends early, the supervisor still ends everything that it has started.
  const killAll = () => {
    processes.killAll();
    const pid = Number(readIfThere(join(folder, 'data/run/supervisor.pid')));
    if (pid > 0) process.kill(pid, 'SIGTERM');
  };
  process.once('exit', killAll);
  const engines = await startChaosEngines({ processes, signal, ...(speeds && { speeds }) });
  const port = await freePort();
  // Callers and satellites reach it over a proxied line, too.
  const line = await openLine({ port }, engines.callersLine);
  const { url } = line;
  const clockFile = join(folder, 'clock');
  const step = new URL('clock-step.ts', import.meta.url);
  const child = processes.start('make-run', {
    command: 'make',
    args: ['-s', '-C', root, 'run'],
    env: {
      ...settings,
      ...engines.environment,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      YES: '1',
      CLOCK_STEP_FILE: clockFile,
      NODE_OPTIONS: `--max-semi-space-size=4 --import=${step.href}`,
    },
  });
  const configuration = () => join(folder, 'data/run/supervisor.conf');
  const pidOf = async (program: ProgramName): Promise<number> => {
    const control = join(root, '.venv/bin/supervisorctl');
    const { stdout } = await run(control, ['-c', configuration(), 'pid', groups[program]], {
      timeout: 10_000,
    });
    return Number(stdout);
  };

  /** All of its processes: the programs and their children, the supervisor, the engines. */
  const pids = async (): Promise<number[]> => [...(await pidsBelow(child)), ...engines.pids()];

  const end = async (): Promise<void> => {
    process.off('exit', killAll);
    engines.end();
    line.close();
    // make forwards the signal only from a terminal, so ask the supervisor to end everything in order.
    await run(join(root, '.venv/bin/supervisorctl'), ['-c', configuration(), 'shutdown'], {
      timeout: 10_000,
    }).catch(() => child.kill('SIGTERM'));
    if (child.exitCode === null) await Promise.race([once(child, 'exit'), after(endMs)]);
    await processes.stopAll();
  };
  try {
    await processes.until(async () => (await statusOf(url)) === 'ready', {
      what: 'the household',
      child,
      withinMs: startMs,
    });
  } catch (error) {
    await end();
    throw error;
  }

  return {
    url,
    port,
    folder,
    engines,
    clockFile,
    pidOf,
    pids,
    /** Only the programs and the engines. */
    lasting: async () => [...(await Promise.all(programs.map(pidOf))), ...engines.pids()],
    status: () => statusOf(url),
    /** Runs one command on its Redis, over a separate connection. */
    async redis(...words: [string, ...string[]]): Promise<unknown> {
      const text = readFileSync(join(folder, 'data/run/redis.conf'), 'utf8');
      const value = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? '';
      const redis = new Redis({
        port: Number(value('port')),
        password: value('requirepass'),
        lazyConnect: true,
        commandTimeout: 10_000,
        retryStrategy: () => null,
      });
      redis.on('error', () => undefined); // The command fails with the same error.
      try {
        await redis.connect();
        return await redis.call(...words);
      } finally {
        redis.disconnect();
      }
    },
    end,
  };
}

async function statusOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) });
    const health: unknown = await answer.json();
    return typeof health === 'object' && health !== null && 'status' in health
      ? String(health.status)
      : undefined;
  } catch {
    return undefined; // It does not answer.
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // No program has started yet.
  }
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref());
}
