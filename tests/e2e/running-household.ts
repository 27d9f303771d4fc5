import { randomUUID } from 'node:crypto';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../support/servers/free-port.ts';
import { canWatchCalls, newReport, readReport, watchedCommand } from '../support/servers/way-out.ts';
import {
  checkout,
  type Engine,
  type Household,
  type Program,
  removeFolder,
  root,
  run,
  type Settings,
  spawnGroup,
} from './household.ts';

export interface RunningHousehold extends Household {
  /** Runs `make run` beside the running one, to its end, which must come soon. */
  startAnother(settings: Settings): Promise<{ code: number | null; said: string }>;
  /** Every process that this household has started, by /proc. */
  processes(): Promise<number[]>;
  supervisor(...command: string[]): Promise<string>;
}

const groupOf: Record<Program | Engine, string> = {
  llm: 'engines:llm',
  stt: 'engines:stt',
  tts: 'engines:tts',
  redis: 'redis:redis',
  worker: 'hearth:worker',
};
/** Everything must have ended this soon after Ctrl-C. */
export const endLimitMs = 12_000;

/** `make run` in a separate checkout, which shares only the packages installed from the lock files. */
export async function runningHousehold(): Promise<RunningHousehold> {
  const folder = await checkout();
  for (const name of ['.venv', 'node_modules', 'console/node_modules']) {
    await symlink(join(root, name), join(folder, name));
  }
  const port = await freePort();
  const mark = randomUUID();
  const report = await newReport(folder);
  const watched = canWatchCalls ? watchedCommand(report) : [];
  const base: Settings = { PORT: String(port), YES: '1', HEARTH_E2E: mark };
  let current: ReturnType<typeof spawnGroup> | undefined;

  const supervisor = (...words: string[]) =>
    run([join(folder, '.venv/bin/supervisorctl'), '-c', join(folder, 'data/run/supervisor.conf'), ...words], {
      folder,
      settings: base,
    });
  const pidOf = async (program: Program | Engine): Promise<number> => {
    const pid = Number(await supervisor('pid', groupOf[program]));
    // The supervisor reports 0 for a program that is down, which to kill() means this very process and its
    // group.
    if (!(pid > 0)) throw new Error(`${program} is not running`);
    return pid;
  };

  const household: RunningHousehold = {
    name: 'make run',
    port,
    folder,
    supervisor,
    async start(settings = {}) {
      const started = spawnGroup([...watched, 'make', 'run'], { folder, settings: { ...base, ...settings } });
      current = started;
      await vi.waitFor(
        () => {
          if (!started.isRunning()) throw new Error(`make run has ended: ${started.said()}`);
          if (!started.said().includes(`:${port}`))
            throw new Error(`make run has not said its address: ${started.said()}`);
        },
        { timeout: 300_000, interval: 100 },
      );
      return started.said();
    },
    async stop() {
      if (!current?.isRunning()) return;
      current.interrupt();
      const late = new Promise((_, fail) =>
        setTimeout(fail, endLimitMs, new Error(`make run did not end: ${current?.said()}`)),
      );
      await Promise.race([current.ended, late]);
    },
    async startAnother(settings) {
      const another = spawnGroup(['make', 'run'], { folder, settings: { ...base, ...settings } });
      return { code: await another.ended, said: another.said() };
    },
    make: (target) => run(['make', target], { folder, settings: base }),
    async changeModels(settings) {
      // If no container has this folder's name, make models configures the run.
      await run(['make', 'models'], {
        folder,
        settings: { ...base, ...settings, COMPOSE_PROJECT_NAME: `none-${mark}` },
      });
    },
    freeze: async (program) => void process.kill(await pidOf(program), 'SIGSTOP'),
    thaw: async (program) => void process.kill(await pidOf(program), 'SIGCONT'),
    kill: async (program) => void process.kill(await pidOf(program), 'SIGKILL'),
    bringBack: async () => undefined,
    restartApi: async () => void (await supervisor('restart', 'hearth:api')),
    async redis(...words) {
      const configuration = await readFile(join(folder, 'data/run/redis.conf'), 'utf8');
      const value = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(configuration)?.[1] ?? '';
      return await run(['redis-cli', '-p', value('port'), ...words], {
        folder,
        settings: { REDISCLI_AUTH: value('requirepass') },
      });
    },
    watched,
    outgoing: () => readReport(report),
    async processes() {
      const ids = (await readdir('/proc')).filter(
        (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
      );
      const marked = await Promise.all(
        ids.map(async (id) => {
          const variables = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
          return variables.includes(mark) ? [Number(id)] : [];
        }),
      );
      return marked.flat();
    },
    async remove() {
      if (current?.isRunning()) current.interrupt();
      await vi.waitFor(
        async () => {
          if ((await household.processes()).length > 0) throw new Error('Processes of make run are left.');
        },
        { timeout: endLimitMs, interval: 100 },
      );
      await removeFolder(folder);
    },
  };
  return household;
}
