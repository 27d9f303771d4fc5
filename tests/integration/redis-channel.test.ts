import { setImmediate as endOfRound } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { subscribeToChannel } from '../../api/src/redis/channel.ts';
import { connectRedis } from '../../api/src/redis/redis.ts';
import { keepFresh } from '../../api/src/redis/refresher.ts';
import { showPresence } from '../../api/src/status/worker-presence.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

/** Longer than a command may take. */
const suspensionMs = 1_000;

let redis: OwnRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

async function connected() {
  const connection = connectRedis({ url: redis.url, onError: () => undefined });
  onTestFinished(() => connection.disconnect());
  await waitFor(() => connection.status === 'ready');
  return connection;
}

/**
 * Runs something and then blocks for a while, as on a busy machine. A timely answer is then read too late.
 */
async function thenStandStill(act: () => void): Promise<void> {
  // From here on the process runs its timers before it reads its connections.
  await endOfRound();
  act();
  const endsAt = performance.now() + suspensionMs;
  while (performance.now() < endsAt);
}

test('a worker that stalls while it reports its presence does not count as failed', async () => {
  const subscriber = await connected();
  const errors: Error[] = [];

  const shown = Promise.withResolvers<void>();
  await thenStandStill(() => {
    void showPresence({ subscriber, workerId: 'slow', onError: (error) => errors.push(error) }).then(
      shown.resolve,
    );
  });
  await shown.promise;

  expect(errors).toEqual([]);
});

test('a channel is received although the process stalled when it subscribed', async () => {
  const [subscriber, speaker] = [await connected(), await connected()];
  const heard: string[] = [];

  await thenStandStill(() =>
    subscribeToChannel({
      ...{ subscriber, channel: 'news', onError: () => undefined },
      onMessage: (message) => heard.push(message),
      onListening: () => void speaker.publish('news', 'hello'),
    }),
  );

  expect(await waitFor(() => heard.length > 0 && heard)).toEqual(['hello']);
});

test('a cached value is read again if Redis did not answer in time', async () => {
  const [subscriber, store] = [await connected(), await connected()];
  await store.set('something', 'new');
  const read = Promise.withResolvers<string | null>();

  // This test sends no event, so that only the failure causes another read.
  subscriber.disconnect();
  await thenStandStill(() => {
    keepFresh({
      ...{ redis: store, subscriber, channel: 'changes', onError: () => undefined },
      read: async () => read.resolve(await store.get('something')),
    });
  });

  expect(await read.promise).toBe('new');
});
