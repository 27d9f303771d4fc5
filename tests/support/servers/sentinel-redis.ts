import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { issueCertificate, type KeyPair } from '../../../api/src/tls/household-ca.ts';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';
import { endsWithTests } from './spawned.ts';

const name = 'house';
/** Silence in ms after which a sentinel considers a Redis dead. */
const downAfterMs = 1_000;

interface SentinelRedisOptions {
  /** Encrypts all connections with this authority's certificates. */
  ca?: KeyPair;
}

/** Two Redis servers and three sentinels, which make the second one the master when the first one dies. */
export async function startSentinelRedis({ ca }: SentinelRedisOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-sentinel-'));
  const children: ChildProcess[] = [];
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()]);
  const [master = 0, replica = 0, ...sentinels] = ports;

  const encrypted = ca ? await certificateIn(folder, ca) : [];
  const start = async (port: number, settings: readonly string[], args: readonly string[] = []) => {
    const file = join(folder, `${port}.conf`);
    const listens = ca ? ['port 0', `tls-port ${port}`, ...encrypted] : [`port ${port}`];
    const common = [...listens, 'bind 127.0.0.1', `dir ${folder}`];
    await writeFile(file, [...common, ...settings, ''].join('\n'));
    const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
    children.push(endsWithTests(child));
    return child;
  };
  const ask = async <T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(port, '127.0.0.1', {
      ...{ lazyConnect: true, retryStrategy: () => null },
      ...(ca && { tls: { ca: ca.cert } }),
    });
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
    url: `${ca ? 'rediss' : 'redis'}+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${name}`,
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

/** The settings of a Redis that accepts and opens only encrypted connections. */
async function certificateIn(folder: string, ca: KeyPair): Promise<string[]> {
  const { cert, key } = await issueCertificate(ca, ['127.0.0.1'], new Date());
  const files = {
    cert: join(folder, 'redis.crt'),
    key: join(folder, 'redis.key'),
    ca: join(folder, 'ca.crt'),
  };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  await writeFile(files.ca, ca.cert);
  return [
    ...[`tls-cert-file ${files.cert}`, `tls-key-file ${files.key}`, `tls-ca-cert-file ${files.ca}`],
    ...['tls-replication yes', 'tls-auth-clients no'],
  ];
}
