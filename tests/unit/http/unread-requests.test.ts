import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { admitUnread } from '../../../api/src/http/unread-requests.ts';
import { listenOnFreePort } from '../../support/servers/listen.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that has just stood still this long, and counts its work. */
async function standingServer(ms: number, endedMsAgo = 0) {
  const app = Fastify();
  const suspension = { ms, endedAt: performance.now() - endedMsAgo };
  app.addHook('onRequest', (request) => admitUnread(request, () => suspension));
  const over: Promise<unknown>[] = [];
  let done = 0;
  app.post('/', async () => {
    done += 1;
    return 'done';
  });
  app.server.on('request', (_request, response) => over.push(once(response, 'close')));
  await app.ready();
  const url = await listenOnFreePort(app.server);
  closers.push(() => app.close());
  return { url, done: () => done, over };
}

test.each([
  ['waited longer than anything may', 70_000, 0, 503],
  ['waited a while', 20_000, 0, 200],
  ['came later', 70_000, 2_000, 200],
  ['came when nothing ever stood still', 0, 0, 200],
])('a request that %s', async (_, ms, endedMsAgo, status) => {
  const { url, done } = await standingServer(ms, endedMsAgo);

  const answer = await fetch(url, { method: 'POST' });

  expect([answer.status, done()]).toEqual([status, status === 200 ? 1 : 0]);
});

test('does not run a request whose caller has disconnected meanwhile', async () => {
  const { url, done, over } = await standingServer(20_000);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');

  // Both arrive before the server reads anything.
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  socket.end();
  await once(socket, 'close');
  await Promise.all(over);

  expect([over.length, done()]).toEqual([1, 0]);
});
