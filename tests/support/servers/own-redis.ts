import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { GenericContainer, Wait } from 'testcontainers';
import { inject } from 'vitest';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';
import { redisImage } from './redis-server.ts';
import { endsWithTests } from './spawned.ts';

const run = promisify(execFile);

/** A connection that is ready for use. */
export async function connectTo(url: string): Promise<Redis> {
  const redis = new Redis(url);
  await once(redis, 'ready');
  return redis;
}

/** A real Redis server that belongs to one test file. */
export interface OwnRedis {
  url: string;
  /** Ends it abruptly, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  revive(): Promise<void>;
  /** It stays connected but sends nothing. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  flush(): Promise<void>;
  /** Fills its memory: reads work, writes fail. */
  fill(): Promise<void>;
  /** It cannot save to its disk and therefore refuses writes. */
  loseDisk(): Promise<void>;
  /** It accepts writes again. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

interface RedisOptions {
  /** Every change is on disk before it is confirmed, so it survives a crash. */
  isKept?: boolean;
}

/** A path where no user can write a file, not even root. */
const noDisk = '/proc';
const mayBeRuined = ['--enable-protected-configs', 'yes'];
const asKept = ['--appendonly', 'yes', '--appendfsync', 'always'];

export async function startRedis({ isKept = false }: RedisOptions = {}): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const more = [...mayBeRuined, ...(isKept ? asKept : [])];
  const server =
    inject('redisBy') === 'container' ? await startContainer(port, more) : await startProgram(port, more);
  await answers(url);
  return {
    ...server,
    url,
    revive: async () => {
      await server.revive();
      await answers(url);
    },
    flush: () => command(url, (redis) => redis.flushall()),
    fill: () => command(url, (redis) => redis.config('SET', 'maxmemory', '1')),
    loseDisk: () => command(url, loseDisk),
    mend: () => command(url, (redis) => redis.config('SET', 'maxmemory', '0', 'save', '')),
  };
}

type Server = Pick<OwnRedis, 'kill' | 'revive' | 'freeze' | 'thaw' | 'stop'>;

async function startContainer(port: number, more: readonly string[]): Promise<Server> {
  const container = await new GenericContainer(redisImage)
    .withCommand(['redis-server', '--save', '', '--hz', '100', ...more])
    .withExposedPorts({ container: 6379, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  const docker = async (what: string) => {
    await run('docker', [what, container.getId()]);
  };
  return {
    kill: () => docker('kill'),
    revive: () => docker('start'),
    freeze: () => docker('pause'),
    thaw: () => docker('unpause'),
    stop: async () => {
      await container.stop({ timeout: 0 });
    },
  };
}

async function startProgram(port: number, more: readonly string[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-redis-'));
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--hz',
    '100',
  ];
  const start = () => endsWithTests(spawn('redis-server', [...options, ...more], { stdio: 'ignore' }));
  let child: ChildProcess = start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const signal = (name: NodeJS.Signals) => async () => {
    child.kill(name);
  };
  return {
    kill,
    revive: async () => {
      child = start();
    },
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<void> {
  const isThere = () => command(url, (redis) => redis.ping()).then(() => true);
  await waitFor(isThere, { what: 'Redis answers' });
}

/** Simulates a full or broken disk: saving fails, and Redis then refuses every write. */
async function loseDisk(redis: Redis): Promise<void> {
  await redis.config('SET', 'dir', noDisk, 'save', '3600 1');
  await waitFor(async () => !(await redis.info('persistence')).includes('rdb_bgsave_in_progress:1'), {
    what: 'Redis has ended an earlier save',
  });
  await redis.bgsave();
  const isRefused = async () => /MISCONF/.test(await redis.set('refused', '', 'XX').then(String, String));
  await waitFor(isRefused, { what: 'Redis takes nothing new' });
}

async function command(url: string, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  // While a container starts, its port accepts connections without a server behind them.
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, socketTimeout: 1_000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await work(redis);
  } finally {
    redis.disconnect();
  }
}
