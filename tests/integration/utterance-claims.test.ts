import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUtteranceClaims } from '../../api/src/listen/admission/utterance-claims.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let server: OwnRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushdb());
/** Makes the only claim older. */
async function age(ms: number): Promise<void> {
  const [key = ''] = await redis.keys('*');
  await redis.pexpire(key, (await redis.pttl(key)) - ms);
}
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

describe('the same words at two satellites', () => {
  test('belong to the one that heard them first if the other heard them at the same time', async () => {
    const claim = createUtteranceClaims({ redis });

    const first = await claim('kitchen: stop', 'one', 800);
    const second = await claim('kitchen: stop', 'other', 800);

    expect([first, second]).toEqual(['one', 'one']);
  });

  test('belong to the first if the other took seconds longer to transcribe them', async () => {
    const claim = createUtteranceClaims({ redis });
    await claim('kitchen: stop', 'one', 800);
    await age(9_000);

    expect(await claim('kitchen: stop', 'other', 9_800)).toBe('one');
  });

  test('belong to the other if they were said again', async () => {
    const claim = createUtteranceClaims({ redis });
    await claim('kitchen: stop', 'one', 800);
    await age(1_000);

    const said = await claim('kitchen: stop', 'other', 800);
    const heardAgain = await claim('kitchen: stop', 'one', 60_000);

    expect([said, heardAgain]).toEqual(['other', 'other']);
  });
});
