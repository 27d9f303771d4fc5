import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const maxWaitingOfAddress = 256;

let redis: OwnRedis;
let api: RunningApi;
let sockets: Socket[] = [];

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url, limits: { headersMs: 1_500 } });
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

async function open(from: string, sent = ''): Promise<Socket> {
  const socket = connect({ port: api.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined); // The server may close it before all is sent.
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const halfRequest = `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Pad: ${'x'.repeat(10_000)}\r\n`;
const isOpen = (socket: Socket) => !socket.closed && !socket.readableEnded;

test('one address keeps a limited number of incomplete requests, the newest ones', async () => {
  const crowd: Socket[] = [];
  for (let count = 0; count < maxWaitingOfAddress + 40; count += 1)
    crowd.push(await open('127.0.0.2', halfRequest));

  await waitFor(() => crowd.slice(0, 40).every((socket) => !isOpen(socket)), {
    what: 'the oldest are closed',
  });

  const last = crowd.at(-1);
  last?.write('Connection: close\r\n\r\n');
  expect(last && (await text(last))).toMatch(/^HTTP\/1\.1 200 /);
  expect(api.log.filter((line) => line.includes('too many connections'))).toHaveLength(1);
});

test('a flood from one address affects neither others nor answered callers', async () => {
  const satellite = new WebSocket(`ws://127.0.0.1:${api.port}/listen`);
  await once(satellite, 'message');
  const other = await open('127.0.0.3', halfRequest);

  for (let count = 0; count < 2 * maxWaitingOfAddress; count += 1) await open('127.0.0.1', halfRequest);

  other.write('Connection: close\r\n\r\n');
  expect(await text(other)).toMatch(/^HTTP\/1\.1 200 /);
  expect(satellite.readyState).toBe(WebSocket.OPEN);
  expect((await api.call('/health')).status).toBe(200);
  satellite.close();
});

test.each([
  ['half a request', halfRequest],
  ['nothing', ''],
])('a connection with %s ends in time, with the reason', async (_what, sent) => {
  const socket = await open('127.0.0.1', sent);
  socket.on('end', () => undefined);

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
});

test('a caller that never ends its request keeps no connection', async () => {
  const before = await api.connections();
  const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.write(halfRequest);
  socket.resume();
  await once(socket, 'end');

  await waitFor(async () => (await api.connections()) <= before, { what: 'the connection is closed' });
});
