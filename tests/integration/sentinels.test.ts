/** @module-tag slow */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { openRedis } from '../../api/src/redis/redis-address.ts';
import { makeCa } from '../../api/src/tls/household-ca.ts';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { hangs, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { startSentinelRedis } from '../support/servers/sentinel-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

async function startHouse(options: Parameters<typeof startSentinelRedis>[0] = {}) {
  const redis = await startSentinelRedis(options);
  running.push(redis.stop);
  const llm = await startFakeLlm();
  running.push(llm.stop);
  const house = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, sttUrl: 'off', ttsUrl: 'off' });
  running.push(house.stop);
  const worksAgain = () =>
    waitFor(async () => replyOf(await house.ask('Does it work?', { client: 'ben' })) === 'Yes.', {
      what: 'the house works with the other Redis',
      withinMs: 60_000,
    });
  return { redis, llm, house, worksAgain };
}

test('when the Redis of the house dies, its replica takes over with timers and lists', async () => {
  const { redis, llm, house, worksAgain } = await startHouse();
  const anna = { client: 'anna' };
  await house.ask('Set a timer for 25 seconds', anna);
  await house.ask('Set a pizza timer for two hours', anna);
  await house.ask('Put milk on the shopping list', anna);
  llm.answers(() => hangs);
  const pending = house.ask('Why is the sky blue?', anna);
  await waitFor(() => llm.busy === 1);

  await redis.killMaster();

  expect(errorOf(await pending)).toEqual({ status: 503, code: 'redis_unavailable' });
  llm.answers(() => 'Yes.');
  await worksAgain();
  expect(replyOf(await house.ask('What is on the shopping list?', anna))).toContain('milk');
  expect(replyOf(await house.ask('How long is left on the pizza timer?', anna))).toContain('hour');
  const ringing = async () => JSON.stringify((await house.call('/admin/timers')).body).includes('"ringing"');
  await waitFor(ringing, { what: 'the timer rings in time', withinMs: 40_000 });
  await house.ask('Put bread on the shopping list', anna);
  expect(replyOf(await house.ask('What is on the shopping list?', anna))).toContain('bread');
});

test('when it only hangs, the house moves to the replica, and stays there after it wakes', async () => {
  const { redis, house, worksAgain } = await startHouse();
  const anna = { client: 'anna' };
  await house.ask('Put milk on the shopping list', anna);

  redis.freezeMaster();
  running.push(redis.thawMaster);
  await waitFor(async () => (await house.ask('Does it work?', anna)).status === 503, { withinMs: 30_000 });
  await worksAgain();
  await house.ask('Put bread on the shopping list', anna);
  redis.thawMaster();

  for (let round = 0; round < 20; round += 1) {
    const list = await house.ask('What is on the shopping list?', anna);
    expect(replyOf(list)).toContain('bread');
  }
});

test('the replica takes over by encrypted connections too, for known certificates only', async () => {
  const ca = await makeCa([]);
  const known = getCACertificates('default');
  // As NODE_EXTRA_CA_CERTS does for the programs.
  setDefaultCACertificates([...known, ca.cert]);
  running.push(() => setDefaultCACertificates(known));
  const { redis, house, worksAgain } = await startHouse({ ca });
  const anna = { client: 'anna' };
  await house.ask('Put milk on the shopping list', anna);

  await redis.killMaster();

  await worksAgain();
  expect(replyOf(await house.ask('What is on the shopping list?', anna))).toContain('milk');

  setDefaultCACertificates(known);
  const stranger = openRedis(redis.url, { lazyConnect: true, sentinelRetryStrategy: () => null });
  stranger.on('error', () => undefined);
  await expect(stranger.connect()).rejects.toThrow(/sentinels are unreachable/i);
});
