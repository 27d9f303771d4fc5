import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';
import { endsWithTests } from './spawned.ts';

const name = 'house';
/** Silence in ms after which a sentinel considers a Redis dead. */
const downAfterMs = 1_000;

/** Two Redis servers and three sentinels, which make the second one the master when the first one dies. */
export async function startSentinelRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-sentinel-'));
  const children: ChildProcess[] = [];
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()]);
  const [master = 0, replica = 0, ...sentinels] = ports;

  const start = async (port: number, settings: readonly string[], args: readonly string[] = []) => {
    const file = join(folder, `${port}.conf`);
    const common = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`];
    await writeFile(file, [...common, ...settings, ''].join('\n'));
    const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
    children.push(endsWithTests(child));
    return child;
  };
  const ask = async <T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  };
  const data = ['save ""', 'hz 100', 'appendonly no'];

  const first = await start(master, data);
  await waitFor(() => ask(master, (redis) => redis.ping()).then(Boolean), { what: 'Redis answers' });
  await start(replica, [...data, `replicaof 127.0.0.1 ${master}`]);
  const isFollowing = async () =>
    (await ask(replica, (redis) => redis.info('replication'))).includes('master_link_status:up');
  await waitFor(isFollowing, { what: 'the replica follows' });
  const watched = [
    `sentinel monitor ${name} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 10000`,
  ];
  for (const port of sentinels) await start(port, watched, ['--sentinel']);
  const knows = (port: number) =>
    ask(port, (redis) => redis.call('SENTINEL', 'MASTER', name)).then((told) => {
      const fields = Array.isArray(told) ? told.map(String) : [];
      const fieldOf = (field: string) => fields[fields.indexOf(field) + 1];
      return fieldOf('num-slaves') === '1' && fieldOf('num-other-sentinels') === '2';
    });
  await waitFor(async () => (await Promise.all(sentinels.map(knows))).every(Boolean), {
    what: 'the sentinels know each other and the replica',
    withinMs: 30_000,
  });

  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${name}`,
    /** Ends the master abruptly. */
    async killMaster(): Promise<void> {
      const ended = once(first, 'exit');
      first.kill('SIGKILL');
      await ended;
    },
    /** The master stays connected but sends nothing. */
    freezeMaster: () => first.kill('SIGSTOP'),
    thawMaster: () => first.kill('SIGCONT'),
    async stop(): Promise<void> {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
