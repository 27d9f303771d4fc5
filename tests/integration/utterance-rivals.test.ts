import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUtteranceRivals } from '../../api/src/listen/admission/utterance-rivals.ts';
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

const kitchen = { places: ['room:kitchen', 'conversation:home'], agoMs: 1_500 };

test.each([
  ['heard it better at the same time', { clarity: 24, agoMs: 1_400, places: ['room:kitchen'] }, true],
  [
    'heard it better in the same conversation',
    { clarity: 24, agoMs: 1_500, places: ['conversation:home'] },
    true,
  ],
  ['heard it worse', { clarity: 12, agoMs: 1_500, places: ['room:kitchen'] }, false],
  ['heard something later', { clarity: 24, agoMs: 900, places: ['room:kitchen'] }, false],
  ['heard something elsewhere', { clarity: 24, agoMs: 1_500, places: ['room:bath'] }, false],
  ['heard it as well, and has the lower name', { clarity: 20, agoMs: 1_500, places: ['room:kitchen'] }, true],
])('a satellite that %s', async (_what, other, isBetter) => {
  const rivals = createUtteranceRivals({ redis });
  const own = { ...kitchen, owner: 'one', clarity: 20 };

  await Promise.all([rivals.enter(own), rivals.enter({ ...other, owner: 'another' })]);
  const [before, theirs] = [
    await rivals.hasBetter(own),
    await rivals.hasBetter({ ...other, owner: 'another' }),
  ];
  await rivals.leave({ ...other, owner: 'another' });

  // Of two satellites that heard the same, one yields.
  expect([before, before && theirs]).toEqual([isBetter, false]);
  expect(await rivals.hasBetter(own)).toBe(false);
});

test('a satellite is not its own rival, and is forgotten within seconds', async () => {
  const rivals = createUtteranceRivals({ redis });
  const own = { ...kitchen, owner: 'one', clarity: 20 };

  await rivals.enter({ ...own, clarity: 30 });
  await rivals.enter(own);
  const lasts = await Promise.all((await redis.keys('*')).map((key) => redis.pttl(key)));

  expect(await rivals.hasBetter(own)).toBe(false);
  expect(lasts.every((ms) => ms > 0 && ms <= 5_000)).toBe(true);
});
