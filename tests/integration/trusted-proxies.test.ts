import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf } from '../support/clients/caller.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const token = 'Correct-Horse-Battery-Staple';
const lineSchema = z.looseObject({ path: z.string(), from: z.string() });

let redis: OwnRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

async function withProxies(proxies: string, look: (api: RunningApi) => Promise<void>, secret = token) {
  const env = { TRUSTED_PROXIES: proxies, SERVICE_TOKEN: secret };
  const api = await startApi({ redisUrl: redis.url, env });
  try {
    await look(api);
  } finally {
    await api.stop();
  }
}

const forwardedFor = (names: string) => ({ 'x-forwarded-for': names });

/** The address in the log for a request to this path. */
function loggedFrom({ log }: RunningApi, path: string): string | undefined {
  const lines = log.map((line) => lineSchema.safeParse(JSON.parse(line)).data);
  return lines.find((line) => line?.path === path)?.from;
}

async function guess(api: RunningApi, place: number, names: string): Promise<number> {
  const headers = { authorization: `Bearer wrong-${place}`, ...forwardedFor(names) };
  return (await api.call('/openapi.json', { headers })).status;
}

describe('behind a trusted proxy', () => {
  test('token guesses count for the address that it names', { tags: 'slow' }, async () => {
    await withProxies('127.0.0.0/8, 10.0.0.5', async (api) => {
      const statuses: number[] = [];
      for (let place = 0; place < 11; place += 1) statuses.push(await guess(api, place, '203.0.113.9'));

      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
      expect(await guess(api, 20, '203.0.113.10')).toBe(401);
      expect(await guess(api, 21, '198.51.100.1, 203.0.113.9, 10.0.0.5')).toBe(429);
    });
  });

  test.each([
    ['what callers write in front of it', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['a chain of trusted ones', '203.0.113.9, 10.0.0.5', '203.0.113.9'],
    ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
    ['a text that is not an address', 'unknown<script>', '127.0.0.1'],
    ['an address with a port', '203.0.113.9:4711', '127.0.0.1'],
  ])('the log names the caller: %s', async (_what, names, from) => {
    await withProxies('127.0.0.1,10.0.0.5', async (api) => {
      await api.call('/nothing-here', { headers: forwardedFor(names) });

      expect(loggedFrom(api, '/nothing-here')).toBe(from);
    });
  });

  test('a request without a token is still refused, whatever its headers', { tags: 'slow' }, async () => {
    await withProxies(
      '127.0.0.1',
      async (api) => {
        const answer = await api.call('/health', { headers: forwardedFor('127.0.0.1') });

        expect(errorOf(answer)).toEqual({ status: 403, code: 'local_only' });
        expect(answer.text).toMatch(/proxy.*SERVICE_TOKEN.*make token/);
        expect((await api.call('/health')).status).toBe(200);
      },
      '',
    );
  });
});

test('other proxies are not trusted', { tags: 'slow' }, async () => {
  await withProxies('192.168.1.5', async (api) => {
    const statuses: number[] = [];
    for (let place = 0; place < 11; place += 1) statuses.push(await guess(api, place, `203.0.113.${place}`));

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(loggedFrom(api, '/openapi.json')).toBe('127.0.0.1');
  });
});
