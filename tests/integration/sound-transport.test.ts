import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSoundTransport } from '../../api/src/sound-transport/sound-transport.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server?.stop());

/** The sound transport of a process, until the end of the test. */
async function startTransport(address: string) {
  const bad: Error[] = [];
  const [redis, subscriber] = [new Redis(server.url), new Redis(server.url)];
  onTestFinished(() => {
    redis.disconnect();
    subscriber.disconnect();
  });
  const transport = createSoundTransport({
    redis,
    subscriber,
    address,
    onBadPacket: (error) => void bad.push(error),
  });
  await waitFor(async () => (await redis.pubsub('NUMSUB', `hearth:sounds:${address}`))[1] === 1, {
    what: `${address} can be reached`,
  });
  return { transport, redis, subscriber, bad };
}

const soon = () => AbortSignal.timeout(5_000);
const sound = (sizeBytes: number) => ({ sampleRateHz: 16_000, samples: randomBytes(sizeBytes) });

test('a recording of two minutes arrives unchanged, for any number of fetchers', {
  tags: 'slow',
}, async () => {
  const [api, one, other] = await Promise.all([
    startTransport('a1'),
    startTransport('w1'),
    startTransport('w2'),
  ]);
  const recording = sound(3_840_000);
  api.transport.keep('turn', recording);

  const [first, second] = await Promise.all([
    one.transport.collect('turn', 'a1', soon()),
    other.transport.collect('turn', 'a1', soon()),
  ]);

  expect(first?.samples.equals(recording.samples)).toBe(true);
  expect(second).toEqual(first);
  api.transport.forget('turn');
  expect([api, one, other].map(({ transport }) => transport.heldBytes)).toEqual([0, 0, 0]);
});

test('the only process that fetches every sound gets the next one in advance', async () => {
  const [api, worker, other] = await Promise.all([
    startTransport('a8'),
    startTransport('w9'),
    startTransport('w10'),
  ]);
  const keepAhead = (id: string, sizeBytes = 100_000) => {
    const kept = sound(sizeBytes);
    api.transport.keep(id, kept);
    api.transport.sendAhead(id);
    return kept;
  };
  for (const id of ['one', 'two', 'three', 'four']) {
    keepAhead(id);
    await worker.transport.collect(id, 'a8', soon());
    api.transport.forget(id);
  }
  const before = worker.transport.heldBytes;
  const fifth = keepAhead('fifth');
  await waitFor(() => worker.transport.heldBytes === 100_000, { what: 'it is there' });
  api.transport.forget('fifth');

  expect(before).toBe(0);
  expect(await worker.transport.collect('fifth', 'a8', soon())).toEqual(fifth);
  expect(worker.transport.heldBytes).toBe(0);

  keepAhead('sixth');
  await waitFor(() => worker.transport.heldBytes === 100_000, { what: 'it is there' });
  expect((await other.transport.collect('sixth', 'a8', soon()))?.samples.length).toBe(100_000);
  // From now on there are two fetchers.
  keepAhead('seventh');
  expect((await other.transport.collect('seventh', 'a8', soon()))?.samples.length).toBe(100_000);
  expect(worker.transport.heldBytes).toBeLessThanOrEqual(100_000);
});

test('sound sent in advance takes little memory, and a long recording is fetched', async () => {
  const [api, worker] = await Promise.all([startTransport('a9'), startTransport('w11')]);
  for (let at = 0; at < 4; at += 1) {
    api.transport.keep('known', sound(10));
    await worker.transport.collect('known', 'a9', soon());
  }
  api.transport.keep('long', sound(3_000_000));
  api.transport.sendAhead('long');
  const long = await worker.transport.collect('long', 'a9', soon());
  const afterLong = worker.transport.heldBytes;
  for (let at = 0; at < 60; at += 1) {
    api.transport.keep(`turn-${at}`, sound(250_000));
    api.transport.sendAhead(`turn-${at}`);
  }
  const last = await worker.transport.collect('turn-59', 'a9', soon());

  expect(long?.samples.length).toBe(3_000_000);
  expect(afterLong).toBe(0);
  expect(last?.samples.length).toBe(250_000);
  expect(worker.transport.heldBytes).toBeLessThanOrEqual(8_000_000);
});

test('a sentence arrives before its event, and is taken once', async () => {
  const [api, worker] = await Promise.all([startTransport('a2'), startTransport('w3')]);
  const speech = sound(300_000);
  const box = api.transport.open('turn');

  const isWanted = await worker.transport.send('a2', { box: 'turn', seq: 3 }, speech);

  expect(isWanted).toBe(true);
  expect(box.take(3)).toEqual(speech);
  expect(box.take(3)).toBeNull();
  expect(api.transport.heldBytes).toBe(0);
});

test('no byte is sent for a finished turn', async () => {
  const [api, worker] = await Promise.all([startTransport('a3'), startTransport('w4')]);
  const box = api.transport.open('turn');
  await worker.transport.send('a3', { box: 'turn', seq: 0 }, sound(1_000));

  box.close();

  expect(await worker.transport.send('a3', { box: 'turn', seq: 1 }, sound(10_000_000))).toBe(false);
  expect(api.transport.heldBytes).toBe(0);
});

test('a missing recording, or one of a dead process, is reported as gone', { tags: 'slow' }, async () => {
  const [, worker] = await Promise.all([startTransport('a4'), startTransport('w5')]);

  expect(await worker.transport.collect('forgotten', 'a4', soon())).toBeNull();
  expect(await worker.transport.collect('turn', 'nobody', soon())).toBeNull();
  expect(await worker.transport.send('nobody', { box: 'turn', seq: 0 }, sound(10))).toBe(false);
});

test('a process that lost its connection briefly still gets its sound', async () => {
  const [api, worker] = await Promise.all([startTransport('a5'), startTransport('w6')]);
  const box = api.transport.open('turn');
  const closed = once(api.subscriber, 'close');
  api.subscriber.disconnect(true);
  await closed;

  expect(await worker.transport.send('a5', { box: 'turn', seq: 0 }, sound(1_000))).toBe(true);
  expect(box.take(0)?.samples.length).toBe(1_000);
});

test('a cancelled fetch ends', async () => {
  const worker = await startTransport('w7');
  const deaf = await connectTo(server.url);
  onTestFinished(() => deaf.disconnect());
  await deaf.subscribe('hearth:sounds:deaf');
  const hungUp = new AbortController();

  const fetched = worker.transport.collect('turn', 'deaf', hungUp.signal);
  hungUp.abort(new Error('hung up'));

  await expect(fetched).rejects.toThrow('hung up');
});

test('a process stores a limited amount of sound', async () => {
  const { transport } = await startTransport('a6');
  for (let at = 0; at < 6; at += 1) transport.keep(`turn-${at}`, sound(10_000_000));

  expect(() => transport.keep('too much', sound(10_000_000))).toThrow(
    expect.objectContaining({ code: 'overloaded' }),
  );
  transport.forget('turn-0');
  transport.keep('fits', sound(10_000_000));
});

test('an invalid message is reported and harmless', async () => {
  const [api, worker] = await Promise.all([startTransport('a7'), startTransport('w8')]);
  const junk = [Buffer.alloc(0), Buffer.from('junk'), Buffer.from([255, 255, 255, 255, 123])];

  for (const letter of junk) await worker.redis.publish('hearth:sounds:a7', letter);

  await waitFor(() => api.bad.length === junk.length, { what: 'it was told' });
  const box = api.transport.open('turn');
  expect(await worker.transport.send('a7', { box: 'turn', seq: 0 }, sound(10))).toBe(true);
  expect(box.take(0)?.samples.length).toBe(10);
});
