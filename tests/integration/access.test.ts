import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, errorOf } from '../support/clients/caller.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const token = 'Correct-Horse-Battery-Staple';

let redis: OwnRedis;
let local: RunningApi;
let open: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  local = await startApi({ redisUrl: redis.url, env: { TRUSTED_HOSTS: 'hearth.lan' } });
  open = await startApi({
    redisUrl: redis.url,
    env: { SERVICE_TOKEN: token, TRUSTED_ORIGINS: 'app://obsidian.md' },
  });
});
afterAll(async () => {
  await local?.stop();
  await open?.stop();
  await redis?.stop();
});

/** One request to each kind of address: known, unknown, unreadable, with the wrong method. */
const everywhere: [path: string, options: CallOptions][] = [
  ['/ask', { body: { text: 'Hello?' } }],
  ['/ask', { method: 'DELETE' }],
  ['/openapi.json', {}],
  ['/v1/models', {}],
  ['/v1/models/other', {}],
  ['/nothing', {}],
  ['/', { method: 'POST', body: {} }],
  ['/assets', {}],
  ['/%zz', {}],
  ['/health/more', {}],
  ['/health', { method: 'POST', body: {} }],
];

const withHeaders = (options: CallOptions, headers: Record<string, string>): CallOptions => ({
  ...options,
  headers: { ...options.headers, ...headers },
});

describe("a browser's preflight", () => {
  const ask = (origin: string): CallOptions => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

  test.each(['app://obsidian.md', 'http://localhost:3000'])(
    'from %s is answered without a token, and the page may read the answers',
    async (origin) => {
      const preflight = await open.call('/v1/chat/completions', ask(origin));
      const refused = await open.call('/v1/models', { headers: { origin } });
      const answer = await open.call('/v1/models', { headers: { origin, authorization: `Bearer ${token}` } });

      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'authorization,content-type',
      });
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, origin]);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
    },
  );

  test.each(['https://evil.example', 'app://evil', 'null'])('from %s is refused', async (origin) => {
    const preflight = await open.call('/v1/chat/completions', ask(origin));
    const answer = await open.call('/v1/models', { headers: { origin, authorization: `Bearer ${token}` } });

    expect(preflight.status).toBe(401);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('without a token', () => {
  test.each([...everywhere, ['/health', {}] satisfies [string, CallOptions]])(
    '%s %o refuses a foreign Host and a foreign page',
    async (path, options) => {
      const rebound = await local.call(path, withHeaders(options, { host: 'evil.example' }));
      const crossSite = await local.call(path, withHeaders(options, { origin: 'https://evil.example' }));

      expect(errorOf(rebound)).toEqual({ status: 403, code: 'local_only' });
      expect(errorOf(crossSite)).toEqual({ status: 403, code: 'foreign_origin' });
    },
  );

  test.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:8765',
    '[::1]:8765',
    'hearth.lan',
    'Hearth.LAN:80',
    'a.localhost',
  ])('the server answers this machine as %s', async (host) => {
    expect((await local.call('/health', { headers: { host } })).status).toBe(200);
  });

  test('a request without a Host gets an error in the common shape', async () => {
    const answer = await sendRaw(local.port, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n');

    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*x-request-id: [\s\S]*"code":"local_only"/);
  });

  test.each([...everywhere, ['/health', {}] satisfies [string, CallOptions]])(
    '%s %o refuses proxied requests, and names the setting',
    async (path, options) => {
      const answer = await local.call(path, withHeaders(options, { 'x-forwarded-for': '203.0.113.9' }));

      expect(errorOf(answer)).toEqual({ status: 403, code: 'local_only' });
      expect(answer.text).toMatch(/proxy.*SERVICE_TOKEN.*make token/);
    },
  );

  test('headers of proxies are not trusted', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' };

    expect(errorOf(await local.call('/health', { headers }))).toEqual({ status: 403, code: 'local_only' });
  });

  test.each(['/', '/health', '/v1/models'])('%s refuses HTTP/1.0, which nginx speaks', async (path) => {
    const answer = await sendRaw(local.port, `GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*HTTP\/1\.0[\s\S]*make token[\s\S]*"code":"local_only"/);
  });

  test('a socket refuses proxied requests', async () => {
    const answer = await sendRaw(
      local.port,
      'GET /listen HTTP/1.1\r\nHost: localhost\r\nX-Real-IP: 203.0.113.9\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );

    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"local_only"/);
  });
});

/** The headers of a browser when a page of another site embeds an address as a picture, without an Origin. */
const asPicture = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

describe('a browser', () => {
  test.each([...everywhere, ['/health', {}] satisfies [string, CallOptions]])(
    'cannot read %s %o for a page of another site',
    async (path, options) => {
      const byToken = { ...asPicture, authorization: `Bearer ${token}` };

      const [here, there] = [
        await local.call(path, withHeaders(options, asPicture)),
        await open.call(path, withHeaders(options, byToken)),
      ];

      expect(errorOf(here)).toEqual({ status: path === '/%zz' ? 404 : 403, code: expect.any(String) });
      expect(errorOf(there)).toEqual(errorOf(here));
    },
  );

  test.each([
    ['typed into the address line', { 'sec-fetch-site': 'none' }],
    ['asked by the page itself', { 'sec-fetch-site': 'same-origin' }],
    ['asked by a page on another port', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
    ['asked by a page of a listed host', { 'sec-fetch-site': 'cross-site', origin: 'http://hearth.lan' }],
    ['asked by a program', {}],
  ])('is answered when %s', async (_how, headers) => {
    expect((await local.call('/v1/models', { headers })).status).toBe(200);
  });

  test("may follow another site's link only to the page", async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };

    // The page is in no contract, and exists only after a build.
    expect((await fetch(`${local.address}/`, { headers })).status).not.toBe(403);
    expect(errorOf(await local.call('/v1/models', { headers })).code).toBe('foreign_origin');
  });

  test.each([...everywhere, ['/health', {}] satisfies [string, CallOptions]])(
    'treats %s %o as its declared type, and loads it for no other site',
    async (path, options) => {
      for (const house of [local, open]) {
        const { headers } = await house.call(path, options);

        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        });
      }
    },
  );
});

describe('with a token', () => {
  test.each(everywhere)('%s %o requires it', async (path, options) => {
    const answer = await open.call(path, options);

    expect(errorOf(answer)).toEqual({ status: 401, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each([
    ['in the header', '/openapi.json', { authorization: `Bearer ${token}` }],
    ['in the header, in lower case', '/openapi.json', { authorization: `bearer ${token}` }],
    ['in the query', `/openapi.json?token=${token}`, {}],
    ['in both', `/openapi.json?token=${token}`, { authorization: `Bearer ${token}` }],
    ['in one of both', `/openapi.json?token=${token}`, { authorization: 'Bearer of something else' }],
    ['under a foreign Host', `/openapi.json?token=${token}`, { host: 'hearth.example' }],
    [
      'behind a proxy',
      `/openapi.json?token=${token}`,
      { 'x-forwarded-for': '203.0.113.9', via: '1.1 proxy' },
    ],
  ])('%s a request with it is allowed', async (_where, path, headers) => {
    expect((await open.call(path, { headers })).status).toBe(200);
  });

  test('an upgrade requires it too', async () => {
    const upgrade =
      'GET /listen HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n';
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

    const answer = await sendRaw(open.port, upgrade + key);

    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":"unauthorized"/);
  });

  test.each(['/', '/health', '/assets/page.js', '/openapi.json?token=Correct-%48orse-Battery-Staple'])(
    'a socket at %s is refused',
    async (path) => {
      const answer = await sendRaw(
        open.port,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`,
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );

      expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/);
      expect(open.log.join('')).not.toContain('orse-Battery-Staple');
    },
  );

  const offered = (given: string) => `bearer.${Buffer.from(given).toString('base64url')}`;

  test('a socket accepts it as a subprotocol, and never sends it back', async () => {
    const opened = new WebSocket(`ws://localhost:${open.port}/listen`, ['hearth.v1', offered(token)]);
    await new Promise((done) => opened.addEventListener('message', done, { once: true }));

    expect(opened.protocol).toBe('hearth.v1');
    opened.close();
    expect(open.log.join('')).not.toContain(token);
    expect(open.log.join('')).not.toContain(offered(token));
  });

  test('as a subprotocol it is valid only for sockets', async () => {
    const headers = { 'sec-websocket-protocol': offered(token) };

    expect(errorOf(await open.call('/v1/models', { headers }))).toEqual({
      status: 401,
      code: 'unauthorized',
    });
  });

  test.each(['localhost', '192.168.1.7:8765', '[fd00::7]', 'nas', 'nas.local:8765', 'Hearth.LAN'])(
    'health needs none at %s',
    async (host) => {
      const { body } = await open.call('/health', { headers: { host } });

      expect(body).toMatchObject({ ok: true, configured: { token: true } });
    },
  );

  test.each(['evil.example', 'local.evil.example', 'localhost.evil.example', '192.168.1.7.evil.example'])(
    "health needs it at %s, which may be a stranger's name for this machine",
    async (host) => {
      const [without, withIt] = [
        await open.call('/health', { headers: { host } }),
        await open.call('/health', { headers: { host, authorization: `Bearer ${token}` } }),
      ];

      expect(errorOf(without)).toEqual({ status: 401, code: 'unauthorized' });
      expect(withIt.status).toBe(200);
    },
  );

  test('a page of another host changes nothing even with it', async () => {
    const headers = { authorization: `Bearer ${token}`, origin: 'https://evil.example' };

    const answer = await open.call('/ask', { body: { text: 'Hello?' }, headers });

    expect(errorOf(answer)).toEqual({ status: 403, code: 'foreign_origin' });
  });

  test('several different ones are all ignored', async () => {
    const answer = await open.call(`/openapi.json?token=wrong&token=${token}`);

    expect(errorOf(answer)).toEqual({ status: 401, code: 'unauthorized' });
    expect(answer.text).toContain('Send only one token');
  });

  test('ten wrong ones a minute are allowed, and the right one still works', async () => {
    const guess = (place: number) =>
      open.call('/openapi.json', { headers: { authorization: `Bearer wrong-${place}` } });
    const statuses: number[] = [];
    for (let place = 0; place < 12; place += 1) statuses.push((await guess(place)).status);

    const late = await guess(12);

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(errorOf(late)).toEqual({ status: 429, code: 'too_many_wrong_tokens' });
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(50);
    expect((await open.call('/health')).status).toBe(200);
    expect((await open.call(`/openapi.json?token=${token}`)).status).toBe(200);
  });
});
