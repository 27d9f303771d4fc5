import { freePort } from '../support/servers/free-port.ts';
import {
  canWatchCalls,
  canWatchContainers,
  containerWatch,
  newReport,
  readReport,
  watchedCommand,
} from '../support/servers/way-out.ts';
import {
  checkout,
  type Engine,
  type Household,
  type Program,
  removeFolder,
  run,
  type Settings,
  spawnGroup,
} from './household.ts';

export interface ComposedHousehold extends Household {
  compose(...command: string[]): Promise<string>;
  /** Docker's name for one of the networks of docker-compose.yml. */
  network(name: string): Promise<string>;
  /** The state of each container: healthy, running, exited. */
  containers(): Promise<Record<string, string>>;
  /** From now on every command runs with these settings. */
  use(settings: Settings): void;
}

const processOf: Record<Program | Engine, string> = {
  llm: 'llama-server',
  redis: 'redis-server',
  worker: 'node',
  stt: 'python',
  tts: 'python',
};

/** Redis's own password, from the file that it starts with. */
const withPassword = 'REDISCLI_AUTH="$(sed -n "s/^requirepass //p" /keys/redis.conf)" exec redis-cli "$@"';

/** The real compose files, as `make up` starts them, under a separate project name. */
export async function composedHousehold(): Promise<ComposedHousehold> {
  const folder = await checkout();
  const port = await freePort();
  const project = `hearth-e2e-${process.pid}`;
  const report = await newReport(folder);
  const watch = canWatchContainers
    ? spawnGroup(containerWatch(report, project), { folder, settings: {} })
    : undefined;
  let settings: Settings = {
    COMPOSE_PROJECT_NAME: project,
    PORT: String(port),
    GPU: '0',
  };

  let hasStarted = false;

  const command = (...words: string[]) => run(words, { folder, settings, limitMs: 600_000 });
  const compose = (...words: string[]) => command('scripts/compose', ...words);
  // A container may lack killall and ps, so find the process by its name in /proc.
  const signal = (program: Program | Engine, name: string) => {
    const find = `for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = ${processOf[program]} ] && kill -${name} "\${p#/proc/}"; done; true`;
    return compose('exec', '-T', program, 'sh', '-c', find).then(() => undefined);
  };

  return {
    name: 'docker compose',
    port,
    folder,
    compose,
    network: async (name) => `${settings['COMPOSE_PROJECT_NAME']}_${name}`,
    use(more) {
      settings = { ...settings, ...more };
    },
    async start(more = {}) {
      settings = { ...settings, ...more };
      // The first start includes everything that make does; later starts use compose alone.
      const isFirst = !hasStarted;
      hasStarted = true;
      return isFirst ? await command('make', 'up') : await command('docker', 'compose', 'up', '--detach');
    },
    async stop() {
      await command('make', 'down');
    },
    make: (target) => command('make', target),
    async changeModels(more) {
      await run(['make', 'models'], { folder, settings: { ...settings, ...more } });
    },
    freeze: (program) => signal(program, 'STOP'),
    thaw: (program) => signal(program, 'CONT'),
    kill: async (program) => void (await compose('kill', program)),
    bringBack: async (program) => void (await compose('start', program)),
    restartApi: async () => void (await compose('restart', 'api')),
    redis: (...words) => compose('exec', '-T', 'redis', 'sh', '-c', withPassword, 'sh', ...words),
    watched: canWatchCalls ? watchedCommand(report) : [],
    async outgoing() {
      if (watch?.isRunning() === false) throw new Error(`The watch has ended: ${watch.said()}`);
      return await readReport(report);
    },
    async containers() {
      const lines = await compose('ps', '--all', '--format', '{{.Service}} {{.State}} {{.Health}}');
      const rows = lines
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
      return Object.fromEntries(rows.map(([service = '', state = '', health]) => [service, health || state]));
    },
    async remove() {
      await compose('down', '--volumes', '--remove-orphans', '--rmi', 'local', '--timeout', '5');
      watch?.interrupt();
      await removeFolder(folder);
    },
  };
}

/** Restarts only the api and the worker, with other settings. */
export async function restartApi(household: ComposedHousehold, settings: Settings): Promise<void> {
  household.use(settings);
  await household.compose('up', '--detach', '--no-deps', '--force-recreate', 'api', 'worker');
  // From inside, because an api published on the network without a token refuses even this machine on its
  // published port.
  await household.compose('exec', '-T', 'api', 'node', 'dist/cli/await-ready.js');
}
