import { Redis } from 'ioredis';

/** The work of a Redis since its start, and its size now. */
export interface RedisUsage {
  atMs: number;
  /** With the commands inside scripts. */
  commands: number;
  inBytes: number;
  outBytes: number;
  cpuMs: number;
  memoryBytes: number;
  clients: number;
}

/** Reads a Redis through one connection, which stays open so that it costs every reading the same. */
export async function openRedisUsage(url: string) {
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  return {
    async read(): Promise<RedisUsage> {
      const info = `${await redis.info()}\n${await redis.info('commandstats')}`;
      const value = (name: string) =>
        Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? Number.NaN);
      const calls = new Map(
        [...info.matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)].map(([, name = '', count]) => [
          name,
          Number(count),
        ]),
      );
      return {
        atMs: performance.now(),
        commands: [...calls.values()].reduce((sum, count) => sum + count, 0),
        inBytes: value('total_net_input_bytes'),
        outBytes: value('total_net_output_bytes'),
        cpuMs: 1_000 * (value('used_cpu_user') + value('used_cpu_sys')),
        memoryBytes: value('used_memory'),
        clients: value('connected_clients') - 1,
      };
    },
    close: () => redis.disconnect(),
  };
}

/** The use between two readings, by second. */
export function rateOf(before: RedisUsage, after: RedisUsage) {
  const seconds = (after.atMs - before.atMs) / 1_000;
  return {
    commands: (after.commands - before.commands) / seconds,
    bytes: (after.inBytes + after.outBytes - before.inBytes - before.outBytes) / seconds,
    cpuMs: (after.cpuMs - before.cpuMs) / seconds,
  };
}
