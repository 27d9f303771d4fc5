import { Redis, type RedisOptions } from 'ioredis';

/** Timeout of a question to a sentinel. Another one may know the answer. */
const sentinelMs = 1_000;
const defaultPort = 26_379;

const bySentinels =
  /^(rediss?)\+sentinel:\/\/(?:([^:@]*)(?::([^@]*))?@)?([^/]+)\/([^/?]+)(?:\/(\d+))?(?:\?sentinel_password=(.+))?$/;

/** The options of an address with sentinels, as the configuration accepts it. Null: it has none. */
export function sentinelOptions(address: string): Omit<RedisOptions, 'replyMapping'> | null {
  const [whole, scheme, user, password, hosts = '', name = '', db, sentinelPassword] =
    bySentinels.exec(address) ?? [];
  if (whole === undefined) return null;
  const sentinels = hosts.split(',').map((at) => {
    const [, host = at, port = defaultPort] = /^(.+?|\[.+\])(?::(\d+))?$/.exec(at) ?? [];
    return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
  });
  return {
    sentinels,
    name,
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(db !== undefined && { db: Number(db) }),
    ...(sentinelPassword && { sentinelPassword: decodeURIComponent(sentinelPassword) }),
    ...(scheme === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: sentinelMs,
    // Sentinels report a new master before the connection to the old one breaks.
    failoverDetector: true,
    // A Redis that has become a replica refuses writes. The client sends them to the master again.
    reconnectOnError: ({ message }) => (/\bREADONLY\b/.test(message) ? 2 : false),
  };
}

/** Opens a connection to the Redis at an address, or to the one that sentinels name. */
export function openRedis(address: string, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const found = sentinelOptions(address);
  return found === null ? new Redis(address, options) : new Redis({ ...found, ...options });
}

/** The passwords in an address, to keep them out of the log. */
export function passwordsOf(address: string): (string | undefined)[] {
  const found = sentinelOptions(address);
  if (found !== null) return [found.password, found.sentinelPassword ?? undefined];
  return [decodeURIComponent(new URL(address).password) || undefined];
}
