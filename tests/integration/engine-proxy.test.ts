import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/clients/caller.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { parseAnswers, sendRaw } from '../support/clients/raw-http.ts';
import { page, startWickedEngine } from '../support/fakes/wicked-engine.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const token = 'a-token-that-nobody-else-may-see';
const bearer = { authorization: `Bearer ${token}` };

let redis: OwnRedis;
let one: Awaited<ReturnType<typeof startWickedEngine>>;
let other: Awaited<ReturnType<typeof startWickedEngine>>;
let api: RunningApi;

beforeAll(async () => {
  [redis, one, other] = await Promise.all([startRedis(), startWickedEngine(), startWickedEngine()]);
  api = await startApi({
    redisUrl: redis.url,
    llmUrl: `${one.url},${other.url}`,
    sttUrl: one.url,
    env: { SERVICE_TOKEN: token, LLM_API_KEY: 'key-of-the-engine' },
  });
});
afterAll(async () => {
  await api?.stop();
  one?.stop();
  other?.stop();
  await redis?.stop();
});
beforeEach(async () => {
  for (const engine of [one, other]) {
    engine.calls.length = 0;
    engine.answers((response) => page(response, 'well'));
    await engine.start();
  }
});

/** The engine's page at this path, requested with access. */
const see = (path: string, headers: Record<string, string> = {}) =>
  api.call(`/admin/servers/${path}`, { headers: { ...bearer, ...headers } });

describe("an engine's own pages", () => {
  test('are shown as static pages', async () => {
    const { status, text, headers } = await see('llm/proxy/health');

    expect([status, text]).toEqual([200, 'well']);
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  test('are requested without token, query, cookie or sender', async () => {
    await see(`llm/proxy/props?token=${token}&model=another&autoload=1`, {
      cookie: 'session=1',
      'x-forwarded-for': '10.1.2.3',
      'x-real-ip': '10.1.2.3',
      forwarded: 'for=10.1.2.3',
      referer: 'http://home.example/?token=1',
      connection: 'x-secret',
      'x-secret': 'yes',
      'x-api-key': token,
    });

    const [{ url, headers } = { url: '', headers: {} }] = one.calls;
    expect(url).toBe('/props');
    expect(headers).toEqual({
      accept: '*/*',
      host: new URL(one.url).host,
      connection: 'keep-alive',
      authorization: 'Bearer key-of-the-engine',
    });
  });

  test('of another engine are requested without the key of the language model', async () => {
    await see('stt/proxy/health');

    expect(one.calls[0]?.headers.authorization).toBeUndefined();
  });

  test.each([
    ['a redirect', (r, at) => r.writeHead(302, { location: `${at}/secret`, 'set-cookie': 'a=1' }).end()],
    ['a relative redirect', (r) => r.writeHead(301, { location: '/secret' }).end()],
    ['an error with its address', (r, at) => r.writeHead(500, { 'content-type': 'text/plain' }).end(at)],
    ['being busy', (r, at) => r.writeHead(503, { 'retry-after': '0', 'content-type': 'text/plain' }).end(at)],
    ['a program', (r) => r.writeHead(200, { 'content-type': 'text/javascript' }).end('alert(1)')],
    ['something without a type', (r) => r.writeHead(200).end('what')],
    ['more than a page', (r) => page(r, 'x'.repeat(5 * 1024 * 1024))],
    [
      'half a page',
      (r) => {
        r.writeHead(200, { 'content-type': 'text/plain' });
        r.write('a', () => r.destroy());
      },
    ],
    ['nothing', (r) => void r.destroy()],
  ] as [string, Parameters<typeof one.answers>[0]][])(
    'that answer with %s become an error of ours',
    async (_what, answers) => {
      one.answers(answers);

      const answer = await see('llm/proxy/health');

      expect(answer.status).toBe(502);
      expect(JSON.stringify([answer.text, answer.headers])).not.toMatch(/127\.0\.0\.1|secret|a=1/);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(one.calls).toHaveLength(1);
      expect((await see('stt/proxy/v1/models')).status).toBe(502);
    },
  );

  test('lose the headers and the address of their server', async () => {
    one.answers((response, address) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': 'a=1',
          server: 'engine',
          link: `<${address}/x>`,
          'access-control-allow-origin': '*',
          'content-security-policy': 'none',
        })
        .end(`<a href="${address}/x">${new URL(address).host}</a>`),
    );

    const { text, headers } = await see('llm/proxy/');

    expect(text).toBe('<a href="[hidden]/x">[hidden]</a>');
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/set-cookie|server|link|access-control/)]),
    );
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  test('that are missing are not found', async () => {
    one.answers((response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('secret'));

    expect(errorOf(await see('llm/proxy/health'))).toEqual({ status: 404, code: 'not_found' });
  });

  test.each([
    'llm/proxy/v1/chat/completions',
    'llm/proxy/completion',
    'llm/proxy/slots/0',
    'llm/proxy/..%2f..%2fhealth',
    'llm/proxy/%2e%2e/health',
    'llm/proxy/health/..%2fprops',
    'llm/proxy/%68ealth',
    'llm/proxy//health',
    'llm/proxy//evil.example/health',
    'llm/proxy/http://evil.example/',
    'llm/proxy/health;x',
    'llm/proxy/health%00',
    'llm/proxy/health%3Fmodel=x',
    'llm/proxy/health/',
    'llm/proxy/\\evil.example',
    'tts/proxy/info',
    'stt/proxy/v1/audio/transcriptions',
    'nobody/proxy/health',
    'LLM/proxy/health',
    '%6clm/proxy/health',
  ])('refuse %s', async (path) => {
    const answer = await see(path);

    expect([400, 404, 409]).toContain(answer.status);
    expect(one.calls).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)('accept no %s', async (method) => {
    const answer = await api.call('/admin/servers/llm/proxy/models', { method, headers: bearer });

    expect([404, 405]).toContain(answer.status);
    expect(one.calls).toEqual([]);
  });

  test.each([
    ['POST', 'models', 'GET'],
    ['GET', 'tokenize', 'POST'],
  ] as const)('accept no %s at %s, and list what they accept', async (method, path, allowed) => {
    const answer = await api.call(`/admin/servers/llm/proxy/${path}`, {
      method,
      headers: bearer,
      ...(method === 'POST' && { body: {} }),
    });

    expect(answer.headers['allow']).toBe(allowed);
  });

  test.each([
    ['without a body', undefined, 'The request has no body.'],
    ['that the server refuses', { tokens: 'none' }, 'The model server does not understand this body.'],
  ])('accept no question %s', async (_what, body, message) => {
    one.answers((r) => r.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"secret"}'));

    const answer = await api.call('/admin/servers/llm/proxy/detokenize', {
      method: 'POST',
      headers: bearer,
      body,
    });

    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.text).toContain(message);
    expect(answer.text).not.toContain('secret');
  });

  test.each(['[]', '["Hello"]', '"Hello"', '5', 'null'])(
    'accept no %s, which is not an object',
    async (body) => {
      const answer = await api.call('/admin/servers/llm/proxy/tokenize', { headers: bearer, body });

      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
      expect(one.calls).toEqual([]);
    },
  );

  test('accept token counting, within bounds', async () => {
    const counted = await api.call('/admin/servers/llm/proxy/tokenize', {
      headers: bearer,
      body: { content: 'Hello' },
    });
    const large = await api.call('/admin/servers/llm/proxy/tokenize', {
      headers: bearer,
      body: { content: 'x'.repeat(100_000) },
    });
    const other = await api.call('/admin/servers/llm/proxy/tokenize', {
      headers: { ...bearer, 'content-type': 'text/plain' },
      body: 'Hello',
    });

    expect([counted.status, large.status, other.status]).toEqual([200, 413, 415]);
    expect(one.calls.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/tokenize', '{"content":"Hello"}'],
    ]);
  });

  test('come from the requested server', async () => {
    other.answers((response) => page(response, 'the other'));

    expect((await see('llm/proxy/health?replica=1')).text).toBe('the other');
    expect(errorOf(await see('llm/proxy/health?replica=2')).code).toBe('server_not_found');
    expect((await see('llm/proxy/health?replica=2')).text).toContain('from 0 to 1');
    expect((await see('stt/proxy/health?replica=1')).text).toContain('one server, whose number is 0');
    expect(errorOf(await see('llm/proxy/health?replica=-1')).code).toBe('server_not_found');
    expect(errorOf(await see('llm/proxy/health?replica=1&replica=0')).code).toBe('server_not_found');
  });

  test('of a server that is down are an error without its address', async () => {
    one.stop();

    const answer = await see('llm/proxy/health');

    expect(errorOf(answer)).toEqual({ status: 502, code: 'server_unreachable' });
    expect(answer.text).not.toContain('127.0.0.1');
  });

  test('of a silent server time out', { tags: 'slow' }, async () => {
    one.answers(() => undefined);

    expect(errorOf(await see('llm/proxy/health'))).toEqual({ status: 504, code: 'server_timeout' });
  });

  test('of a disabled engine are not found', async () => {
    expect(errorOf(await see('tts/proxy/voices'))).toEqual({ status: 409, code: 'not_possible' });
  });

  test('require the right scope', async () => {
    expect((await api.call('/admin/servers/llm/proxy/health')).status).toBe(401);
    expect((await api.call('/admin/servers/llm/proxy/health?token=wrong-token')).status).toBe(401);
    expect(one.calls).toEqual([]);
  });

  test('answer HEAD requests', async () => {
    const received = await sendRaw(
      api.port,
      `HEAD /admin/servers/llm/proxy/health HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
    );

    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    // The length must match that of the page.
    expect(received).not.toMatch(/content-length/i);
    expect(one.calls.map(({ method }) => method)).toEqual(['HEAD']);
  });

  test.each(['', token])('refuse a WebSocket with the token "%s", and stay up', async (given) => {
    const path = `/admin/servers/llm/proxy/health${given ? `?token=${given}` : ''}`;
    const received = await sendRaw(
      api.port,
      [
        `GET ${path} HTTP/1.1`,
        'host: localhost',
        'connection: Upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
        '',
        '',
      ].join('\r\n'),
    );
    const [{ status } = { status: 0 }] = parseAnswers(received, { method: 'GET', path });
    const satellite = await connectListen(api.address, { token });

    expect(status).toBe(given ? 404 : 401);
    expect(one.calls).toEqual([]);
    await satellite.close();
    expect((await api.call('/health')).status).toBe(200);
  });
});
