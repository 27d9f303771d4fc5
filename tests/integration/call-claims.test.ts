import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCallClaims } from '../../api/src/listen/admission/call-claims.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let server: OwnRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushdb());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** Longer than any of these tests takes on a busy machine. */
const withinMs = 10_000;
const heard = (owner: string, clarity: number, agoMs = 1_500) => ({ owner, clarity, agoMs });

describe('a call that two satellites hear', () => {
  test('is answered by the one that heard it better, whoever asks first', async () => {
    const calls = createCallClaims({ redis, withinMs });
    const [near, far] = [heard('near', 24), heard('far', 12, 1_300)];

    await calls.note({ ...near, isSure: true });
    await calls.note({ ...far, isSure: true });

    expect(await calls.claim(far, 'all')).toBe('lost');
    expect(await calls.claim(near, 'all')).toBe('won');
  });

  test('is answered once, even if the better one is done later', async () => {
    const calls = createCallClaims({ redis, withinMs });
    const [near, far] = [heard('near', 24), heard('far', 12)];

    await calls.note({ ...far, isSure: true });
    const first = await calls.claim(far, 'all');
    await calls.note({ ...near, isSure: true });

    expect([first, await calls.claim(near, 'all')]).toEqual(['won', 'lost']);
  });

  test('waits for one whose person still speaks, and stays claimed after the next speech', async () => {
    const calls = createCallClaims({ redis, withinMs });
    const [near, far] = [heard('near', 24), heard('far', 12)];

    await calls.note({ ...near, clarity: null, isSure: true });
    const waiting = await calls.claim(far, 'all');
    const claimed = await calls.claim(far, 'ended');
    await calls.note({ ...far, agoMs: 0, clarity: null, isSure: false });
    await calls.note({ ...near, isSure: true });

    expect([waiting, claimed]).toEqual(['unfinished', 'won']);
    expect(await calls.claim(near, 'all')).toBe('lost');
  });

  test('waits for a better one that does not know yet whether it is meant', async () => {
    const calls = createCallClaims({ redis, withinMs });
    const [near, far] = [heard('near', 24), heard('far', 12)];

    await calls.note({ ...near, isSure: false });
    const before = await calls.claim(far, 'ended');
    await calls.leave(near);

    expect([before, await calls.claim(far, 'all')]).toEqual(['undecided', 'won']);
  });

  test('is won once by equals', async () => {
    const calls = createCallClaims({ redis, withinMs });
    const both = [heard('one', 20), heard('two', 20)];

    await Promise.all(both.map((each) => calls.note({ ...each, isSure: true })));

    expect(await Promise.all(both.map((each) => calls.claim(each, 'all')))).toEqual(['won', 'lost']);
  });
});

test('calls at different times are both answered, and are forgotten within a minute', async () => {
  const calls = createCallClaims({ redis });

  const won = [await calls.claim(heard('one', 20), 'all'), await calls.claim(heard('two', 20, 900), 'all')];
  const lasts = await Promise.all((await redis.keys('*')).map((key) => redis.pttl(key)));

  expect(won).toEqual(['won', 'won']);
  expect(lasts.every((ms) => ms > 0 && ms <= 40_000)).toBe(true);
});
