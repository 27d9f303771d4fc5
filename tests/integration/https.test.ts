import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { type Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createHouseholdCertificate } from '../../api/src/tls/household-certificate.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const token = 'Correct-Horse-Battery-Staple';

let redis: OwnRedis;
let api: RunningApi;
let folder: string;
let ca: string;

beforeAll(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), 'hearth-https-'));
  api = await startApi({
    redisUrl: redis.url,
    env: { HTTPS: '1', HTTPS_DIR: folder, SERVICE_TOKEN: token },
  });
  ca = authority();
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function authority(): string {
  const household = createHouseholdCertificate({ folder, names: () => [], onLeftOut: () => undefined });
  return household.caCertificate() ?? '';
}

interface Answered {
  status: number;
  body: string;
  location: string | undefined;
}

async function get(path: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Answered> {
  const asked = request({
    host: '127.0.0.1',
    port: api.httpsPort,
    path,
    ca,
    agent,
    servername: 'hearth.local',
    headers: { host: `hearth.local:${api.httpsPort}`, ...headers },
  }).end();
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, body: await text(answer), location: answer.headers.location };
}

describe('https', () => {
  test('answers as http does, to clients that trust the household', async () => {
    const health = await get('/health');

    expect(health.status).toBe(200);
    expect(JSON.parse(health.body)).toHaveProperty('engines');
  });

  test('is not trusted by other clients', async () => {
    const stranger = request({ host: '127.0.0.1', port: api.httpsPort, path: '/health' }).end();

    await expect(once(stranger, 'response')).rejects.toThrow(/self-signed|unable to/);
  });

  test('has the same rules of access', async () => {
    const authorization = `Bearer ${token}`;

    expect((await get('/v1/models')).status).toBe(401);
    expect((await get('/v1/models', { authorization })).status).toBe(200);
    expect(
      (await get('/v1/models', { authorization, origin: `https://hearth.local:${api.httpsPort}` })).status,
    ).toBe(200);
    expect(
      (
        await get('/v1/models', {
          authorization,
          'sec-fetch-site': 'cross-site',
          origin: 'https://evil.example',
        })
      ).status,
    ).toBe(403);
    expect((await get('/health', { host: 'evil.example' })).status).toBe(401);
  });

  test.each(['/listen', '/v1/realtime?model=assistant'])('carries %s', async (path) => {
    const socket = new WebSocket(`wss://127.0.0.1:${api.httpsPort}${path}`, {
      ca,
      headers: { authorization: `Bearer ${token}` },
    });
    const [first] = await once(socket, 'message');
    socket.terminate();

    expect(JSON.parse(String(first)).type).toBe('session.created');
  });

  test('redirects a browser that started with http', async () => {
    const asked = plainRequest({
      host: '127.0.0.1',
      port: api.httpsPort,
      path: '/phone?a=1',
      headers: { host: `hearth.local:${api.httpsPort}` },
    }).end();
    const [answer] = await once(asked, 'response');

    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toBe(`https://hearth.local:${api.httpsPort}/phone?a=1`);
  });

  test('is named in the log when a client tries it on the http port', async () => {
    const wrong = connectTls({ host: '127.0.0.1', port: api.port, rejectUnauthorized: false });

    await once(wrong, 'error');

    await waitFor(() => api.log.some((line) => line.includes('got https on the http port')), {
      what: 'the log tells of it',
    });
  });

  test('closes the oldest handshake of an address that only starts them, and still answers', async () => {
    const halves = await Promise.all(
      Array.from({ length: 80 }, async () => {
        const socket = connect(api.httpsPort ?? 0, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(Buffer.from([0x16, 0x03]));
        return socket;
      }),
    );

    await waitFor(() => halves.filter(({ closed }) => closed).length >= 16, {
      what: 'the oldest are closed',
    });

    expect((await get('/health')).status).toBe(200);
    for (const half of halves) half.destroy();
  });

  test('does not wait for idle clients at its end', async () => {
    const own = await startApi({
      redisUrl: redis.url,
      env: { HTTPS: '1', HTTPS_DIR: folder, SERVICE_TOKEN: token },
    });
    const silent = connectTls({
      host: '127.0.0.1',
      port: own.httpsPort ?? 0,
      ca,
      servername: 'hearth.local',
    });
    await once(silent, 'secureConnect');
    const closed = new Promise<void>((resolve) => {
      silent.on('error', () => undefined).once('close', () => resolve());
    });

    await own.stop();

    await closed;
  });

  test("keeps the household's key private", () => {
    expect(readFileSync(join(folder, 'household-ca.pem'), 'utf8')).toContain('PRIVATE KEY');
    expect(ca).not.toContain('PRIVATE KEY');
  });
});
