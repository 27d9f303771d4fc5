import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SunTimes } from '../../api/src/respond/skills/timers/sun-reader.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answered, englishSkills } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** It is 15:20; the sun sets at 16:02 and rises at 7:28. */
const london: SunTimes = {
  setting: Date.parse('2026-11-21T16:02:00Z'),
  rising: Date.parse('2026-11-22T07:28:00Z'),
  dawn: Date.parse('2026-11-22T06:52:00Z'),
};
const ask = (text: string, times: SunTimes | null) =>
  answered(englishSkills(redis, [], { sunTimes: async () => times }).responder, text);

test.each([
  ['remind me at sunset to close the blinds', 'I will remind you today at 4:02 PM to close the blinds.'],
  ['remind me to close the blinds at sunset', 'I will remind you today at 4:02 PM to close the blinds.'],
  ['remind me at sunset tomorrow about the hens', 'I will remind you tomorrow at 4:02 PM about the hens.'],
  ['remind me to close up an hour after sunset', 'I will remind you today at 5:02 PM to close up.'],
  // That time of today is over.
  ['remind me an hour before sunset to close up', 'I will remind you tomorrow at 3:02 PM to close up.'],
  ['remind me an hour before sunset today to close up', 'That time has already passed.'],
  ['wake me half an hour before sunrise', 'I will wake you tomorrow at 6:58 AM.'],
  ['wake me at dawn', 'I will wake you tomorrow at 6:52 AM.'],
  ['set an alarm for sunrise', 'Alarm, tomorrow at 7:28 AM.'],
  ['remind me to watch the sunset at 5', 'I will remind you today at 5 PM to watch the sunset.'],
])('the sun gives the time: %s', async (text, reply) => {
  expect(await ask(text, london)).toBe(reply);
});

const untold = 'Home Assistant does not tell me that time of the sun. Please tell me a time of day.';
test.each([
  ['wake me at sunrise', null],
  // Near a pole it may not rise.
  ['wake me at sunrise', {}],
  ['remind me on Friday at sunset to light the candles', london],
])('a time that the house does not tell is refused: %s', async (text, times) => {
  expect(await ask(text, times)).toBe(untold);
});

test('gives the reason without Home Assistant', async () => {
  expect(await answered(englishSkills(redis).responder, 'wake me at sunrise')).toBe(
    'I know sunrise and sunset only from Home Assistant, and none is connected. Please tell me a time.',
  );
});
