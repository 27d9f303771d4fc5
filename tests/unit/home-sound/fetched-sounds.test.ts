import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFetchedSounds } from '../../../api/src/home-sound/fetched-sounds.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';
import { listenOnFreePort } from '../../support/servers/listen.ts';

const file = Buffer.from('RIFF and so on');
const clock = createFakeClock();
const sounds = createFetchedSounds({ clock });
const server = createServer((request, reply) => {
  if (!sounds.serve(request, reply)) reply.writeHead(404).end();
});
let url = '';
beforeEach(async () => {
  url = await listenOnFreePort(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const get = (path: string, more: RequestInit = {}) => fetch(`${url}${path}`, more);

describe('a sound for players', () => {
  test('is served whole, with its length, any number of times', async () => {
    const { path, fetched } = sounds.keep(file, 60_000);
    const head = await get(path, { method: 'HEAD' });
    const whole = await get(path);

    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(file.length),
      'accept-ranges': 'bytes',
    });
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(file);
    expect((await get(path)).status).toBe(200);
    await fetched;
  });

  test.each([
    ['bytes=5-7', 206, 'and'],
    ['bytes=5-', 206, 'and so on'],
    ['bytes=9-3', 200, 'RIFF and so on'],
    ['bytes=99-', 200, 'RIFF and so on'],
    ['lines=1-2', 200, 'RIFF and so on'],
  ])('is served in parts: %s', async (range, status, text) => {
    const { path } = sounds.keep(file, 60_000);
    const part = await get(path, { headers: { range } });

    expect([part.status, await part.text()]).toEqual([status, text]);
  });

  test('is not found for others, after its lifetime, or after it was dropped', async () => {
    const [old, dropped] = [sounds.keep(file, 1_000), sounds.keep(file, 60_000)];
    await clock.pass(1_001);
    dropped.drop();

    expect((await get(old.path)).status).toBe(404);
    expect((await get(dropped.path)).status).toBe(404);
    expect((await get('/anything.wav')).status).toBe(404);
    expect((await get(sounds.keep(file, 1_000).path, { method: 'POST' })).status).toBe(404);
  });

  test('gives way to newer ones beyond fifty', async () => {
    const first = sounds.keep(file, 60_000);
    for (let at = 0; at < 50; at += 1) sounds.keep(file, 60_000);

    expect((await get(first.path)).status).toBe(404);
  });
});
