import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../support/clients/raw-http.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let api: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url });
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
// Node itself ends such a connection, which would be a tunnel.
const foreign = METHODS.filter((method) => !known.includes(method) && method !== 'CONNECT');

const ask = (method: string, path: string, body = '') =>
  sendRaw(
    api.port,
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`,
    body === '' ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

describe.each(foreign)('the method %s', (method) => {
  test.each([
    ['/ask', 'POST'],
    ['/health', 'GET'],
    ['/admin/conversations/anna', 'GET, DELETE'],
    ['/admin/servers/llm/proxy/tokenize', 'GET, POST'],
  ])('is refused at %s, which takes %s', async (path, allowed) => {
    for (const body of ['', '{"text": "Hello?"}']) {
      const answer = await ask(method, path, body);

      expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*"code":"method_not_allowed"/);
      expect(/^allow: (.*)\r$/im.exec(answer)?.[1]).toBe(allowed);
    }
  });

  test('is not found at an unknown address', async () => {
    expect(await ask(method, '/nothing')).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/);
  });
});
