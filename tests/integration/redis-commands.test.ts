import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRedis } from '../../api/src/redis/redis.ts';
import { startFreezingProxy } from '../support/servers/freezing-proxy.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

/** Blocks the event loop, as a busy machine does. */
function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function connected(url: string) {
  const errors: Error[] = [];
  const connection = connectRedis({ url, onError: (error) => void errors.push(error) });
  await waitFor(() => connection.status === 'ready');
  return { connection, errors };
}

describe('a command to Redis', () => {
  test('is answered although the process stalled longer than any limit', async () => {
    const { connection, errors } = await connected(redis.url);

    // From here on this runs in the phase that reads sockets. After a stall here, timers come before the next
    // read.
    await connection.ping();
    const answer = connection.ping();
    stall(2_500);

    expect(await answer).toBe('PONG');
    expect(errors).toEqual([]);
    connection.disconnect();
  });

  test('fails when Redis hangs, and the connection is reopened', async () => {
    const proxy = await startFreezingProxy(redis.url);
    const { connection, errors } = await connected(proxy.url.replace('http:', 'redis:'));

    proxy.freeze();

    await expect(connection.ping()).rejects.toThrow('Command timed out');
    await waitFor(() => errors.some(({ message }) => message.startsWith('Socket timeout')));
    proxy.thaw();
    await waitFor(() => connection.status === 'ready');
    expect(await connection.ping()).toBe('PONG');
    connection.disconnect();
    proxy.stop();
  });
});
