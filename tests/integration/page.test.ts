/** @module-tag slow */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPage } from '../../api/src/http/page-routes.ts';
import { projectFile } from '../../api/src/wiring/installation.ts';
import { errorOf } from '../support/clients/caller.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const token = 'Correct-Horse-Battery-Staple';
const isBuilt = existsSync(join(projectFile('package.json'), '../console/dist/index.html'));

describe('the page', () => {
  let folder: string;
  const pageOf = (at: string) => {
    const app = Fastify();
    const page = createPage({ folder: at });
    page.register(app);
    return { app, page };
  };
  const get = (url: string, headers: Record<string, string> = {}) =>
    pageOf(folder).app.inject({ url, headers: { host: 'hearth.lan:8765', ...headers } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearth-page-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Hearth</title>');
    await writeFile(join(folder, 'assets/index-abc.js'), 'let warm;');
    await writeFile(join(folder, 'assets/packed.js'), 'let me_be_packed;');
    await writeFile(join(folder, 'assets/packed.js.gz'), gzipSync('let me_be_packed;'));
    await writeFile(join(folder, 'secret.txt'), 'not for anybody');
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  test('is never used from a cache without revalidation', async () => {
    const { statusCode, headers, body } = await get('/');

    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '<!doctype html><title>Hearth</title>' });
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': expect.stringContaining('text/html'),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('microphone=(self)'),
    });
  });

  test.each([
    'bytes=0-3',
    'bytes=abc',
    'bytes=9-2',
    'bytes=-0',
    'bytes=99999999-',
    'bytes=0-1,4-5',
    'lines=1-2',
    '',
  ])('is sent whole, whatever part is requested: %j', async (range) => {
    const { statusCode, body } = await get('/', { range });

    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '<!doctype html><title>Hearth</title>' });
  });

  test('loads nothing from elsewhere and nothing inline', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);

    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("connect-src 'self' ws://hearth.lan:8765 wss://hearth.lan:8765");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test.each(["evil.example; script-src 'unsafe-inline'", 'a b', '"'])(
    'copies no Host into its policy: %s',
    async (host) => {
      const policy = String((await get('/', { host })).headers['content-security-policy']);

      expect(policy).toContain("connect-src 'self';");
    },
  );

  test('has files that are cached permanently, because their names change', async () => {
    const { headers, body } = await get('/assets/index-abc.js');

    expect(body).toBe('let warm;');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toContain('javascript');
  });

  test('sends the compressed copy to clients that support it', async () => {
    const packed = await get('/assets/packed.js', { 'accept-encoding': 'gzip' });
    const plain = await get('/assets/packed.js');

    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.rawPayload).toEqual(gzipSync('let me_be_packed;'));
    expect(plain.body).toBe('let me_be_packed;');
  });

  test('has assets whose names have a dot, as those of a package', async () => {
    await writeFile(join(folder, 'assets/signals.module-abc.js'), 'let signals;');

    expect((await get('/assets/signals.module-abc.js')).body).toBe('let signals;');
  });

  test('serves a new build without a restart', async () => {
    const { app } = pageOf(folder);
    await app.ready();
    await writeFile(join(folder, 'assets/index-new.js'), 'let newer;');

    expect((await app.inject('/assets/index-new.js')).body).toBe('let newer;');
  });

  test('has an icon for browsers that request it without reading the page', async () => {
    await writeFile(join(folder, 'icon-192.png'), 'a picture');

    const { statusCode, headers, body } = await get('/favicon.ico');

    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'a picture' });
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    '/secret.txt',
    '/assets/packed.js.gz',
    '/assets/..%2fsecret.txt',
    '/assets/../secret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/',
    '/index.html',
  ])('serves no other files: %s', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });

  test('reports that it was not built', async () => {
    const { app } = pageOf(join(folder, 'nothing'));

    const answer = await app.inject('/');

    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('The page has not been built.');
  });
});

describe('access to the page', () => {
  let redis: OwnRedis;
  let local: RunningApi;
  let open: RunningApi;
  const expected = isBuilt ? 200 : 404;

  beforeAll(async () => {
    redis = await startRedis();
    local = await startApi({ redisUrl: redis.url });
    open = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: token } });
  });
  afterAll(async () => {
    await local?.stop();
    await open?.stop();
    await redis?.stop();
  });

  const statusOf = async (address: string, headers: Record<string, string> = {}) =>
    (await fetch(address, { headers })).status;

  test('with a token is open to everyone, because it asks for the token', async () => {
    expect(await statusOf(`${open.address}/`)).toBe(expected);
  });

  test('is refused plainly for an unknown file', async () => {
    expect(errorOf(await open.call('/assets/nothing.js'))).toEqual({ status: 404, code: 'not_found' });
  });

  test('is refused for a socket with a wrong token', async () => {
    const protocols = `hearth.v1, bearer.${Buffer.from('wrong').toString('base64url')}`;
    const head = [
      'GET /listen HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade, close',
      'Upgrade: websocket',
    ];
    const rest = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    const lines = [...head, ...rest, `Sec-WebSocket-Protocol: ${protocols}`];

    const answer = await sendRaw(open.port, `${lines.join('\r\n')}\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*The access key is wrong/);
  });

  test('without a token is limited to the machine itself', async () => {
    expect(await statusOf(`${local.address}/`)).toBe(expected);
    const rebound = await local.call('/', { headers: { host: 'evil.example' } });
    expect(errorOf(rebound)).toEqual({ status: 403, code: 'local_only' });
  });

  test.each(['/assets', '/assets/', '/assets/a/b.js', '/index.html'])(
    'with a token leaves %s as protected as any other address',
    async (path) => {
      expect(errorOf(await open.call(path))).toEqual({ status: 401, code: 'unauthorized' });
    },
  );
});
