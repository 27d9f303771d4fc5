/** @module-tag slow */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, createCaller, replyOf } from '../support/clients/caller.ts';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { voiceOf } from '../support/clients/room.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import { isReady } from '../support/servers/assistant.ts';
import { type Balancer, startBalancer } from '../support/servers/balancer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { waitFor } from '../support/wait-for.ts';

/** A satellite of the household waits this long before it connects again. */
const firstWaitMs = 500;
const maxAwayMs = 3_000;

interface Api extends Caller {
  address: string;
  process: RunningProcess;
}

let redis: OwnRedis;
let llm: FakeLlm;
let piper: FakePiper;
let worker: RunningProcess;
let apis: Api[];
let proxy: Balancer;
let caller: Caller;
const satellites: { close: () => Promise<unknown> }[] = [];

beforeAll(async () => {
  [redis, llm, piper] = await Promise.all([startRedis(), startFakeLlm(), startFakePiper()]);
  piper.speaks(voiceOf);
  const env = { REDIS_URL: redis.url, LLM_URL: llm.url, TTS_URL: piper.url, STT_URL: 'off' };
  worker = await startProcess('worker', env);
  const start = async (): Promise<Api> => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const started = await startProcess('server', { ...env, PORT: String(port) });
    return { ...createCaller(address), address, process: started };
  };
  apis = [await start(), await start()];
  await Promise.all(apis.map((api) => isReady(api)));
  proxy = await startBalancer(apis.map(({ address }) => Number(new URL(address).port)));
  caller = createCaller(proxy.url);
}, 120_000);
afterEach(async () => {
  for (const { close } of satellites.splice(0)) await close();
});
afterAll(async () => {
  proxy?.stop();
  await caller?.close();
  for (const api of apis ?? []) {
    await api.close();
    await api.process.end('SIGKILL');
  }
  await worker?.end('SIGKILL');
  piper?.stop();
  await llm?.stop();
  await redis?.stop();
});

/** A satellite that connects again after every loss, as docs/listen.md says. */
async function stay(address: string, client: string) {
  const connections: ListenClient[] = [await connectListen(address, { client, room: client })];
  const awayMs: number[] = [];
  let isOver = false;
  const keep = async (): Promise<void> => {
    for (let last = connections[0]; last; last = connections.at(-1)) {
      const { atMs, code } = await last.closed;
      if (isOver || code === 4000) return;
      let next: ListenClient | undefined;
      while (!next && !isOver) {
        await delay(firstWaitMs);
        next = await connectListen(address, { client, room: client }).catch(() => undefined);
      }
      if (!next) return;
      connections.push(next);
      awayMs.push(performance.now() - atMs);
    }
  };
  const kept = keep();
  const satellite = {
    awayMs,
    current: () => connections.at(-1) ?? connections[0],
    rings: () =>
      connections
        .flatMap(({ events }) => events)
        .flatMap(({ event }) => (event.type === 'timer.finished' ? [event.timer.name] : [])),
    close: async () => {
      isOver = true;
      await connections.at(-1)?.close();
      await kept;
    },
  };
  satellites.push(satellite);
  return satellite;
}

const setTimer = async ({ ask }: Caller, name: string, seconds: number, room: string) =>
  replyOf(await ask(`Set a ${name} timer for ${seconds} seconds`, { client: room, room }));
const restartsSchema = z.object({ apis: z.array(z.unknown()) });
const apisSeen = async ({ call }: Caller) =>
  restartsSchema.parse((await call('/admin/restart')).body).apis.length;

test('two apis behind a proxy are one household', async () => {
  const [one, other] = apis;
  if (!one || !other) throw new Error('no apis');
  await waitFor(async () => (await apisSeen(other)) === 2);

  await one.ask('Put milk on the shopping list');
  expect(replyOf(await other.ask('What is on the shopping list?'))).toContain('milk');
  const kitchen = await stay(one.address, 'kitchen');
  expect(await setTimer(other, 'pasta', 2, 'kitchen')).toContain('Pasta');
  await waitFor(() => kitchen.rings().length > 0);
  replyOf(await other.ask('Stop', { client: 'kitchen', room: 'kitchen' }));
  await waitFor(async () => JSON.stringify((await one.call('/admin/timers')).body).includes('"timers":[]'));
  expect(kitchen.rings()).toEqual(['pasta']);

  const newer = await connectListen(other.address, { client: 'kitchen', room: 'kitchen' });
  expect((await kitchen.current()?.closed)?.code).toBe(4000);
  await newer.close();
});

test('when one api is killed, its satellites are with the other within 3 s, and timers ring once', async () => {
  const [one, other] = apis;
  if (!one || !other) throw new Error('no apis');
  const rooms = ['kitchen', 'bath', 'hall', 'study'];
  const all = await Promise.all(rooms.map((room) => stay(proxy.url, room)));
  await waitFor(async () => {
    const seen = JSON.stringify((await other.call('/admin/satellites')).body);
    return rooms.every((room) => seen.includes(room));
  });
  for (const room of rooms) await setTimer(other, `${room} tea`, 4, room);

  one.process.child.kill('SIGKILL');
  await one.process.exit;

  await waitFor(() => all.every(({ rings }) => rings().length > 0), { withinMs: 20_000 });
  const moved = all.flatMap(({ awayMs }) => awayMs);
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.length).toBeLessThan(rooms.length);
  for (const ms of moved) expect(ms).toBeLessThan(maxAwayMs);
  expect(all.map(({ rings }) => rings())).toEqual(rooms.map((room) => [`${room} tea`]));
  expect(replyOf(await caller.ask('What is on the shopping list?'))).toContain('milk');
  await waitFor(async () => (await apisSeen(other)) === 1, { withinMs: 30_000 });
});
