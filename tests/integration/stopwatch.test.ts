import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answered, englishSkills } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let nowMs = 0;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
beforeEach(async () => {
  await redis.flushall();
  nowMs = 5_000_000;
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** The skills of a newly started worker. */
const worker = () => englishSkills(redis, [], { steady: () => nowMs }).responder;
const say = (text: string, turn = {}) => answered(worker(), text, turn);

test('workers without shared memory start, stop, resume and read a stopwatch', {
  tags: 'slow',
}, async () => {
  const said = [await say('Start the stopwatch.')];
  nowMs += 65_000;
  said.push(await say('How long has the stopwatch been running?'));
  said.push(await say('Start the stopwatch.'));
  nowMs += 25_000;
  said.push(await say('Stop the stopwatch.'));
  nowMs += 600_000;
  said.push(await say('What does the stopwatch say?'), await say('Stop the stopwatch.'));
  said.push(await say('Resume the stopwatch.'));
  nowMs += 30_000;
  said.push(await say('Stop the stopwatch.'), await say('Reset the stopwatch.'));
  said.push(await say('What does the stopwatch say?'));

  expect(said).toEqual([
    'The stopwatch is running.',
    'The stopwatch is running. It shows one minute and five seconds.',
    'The stopwatch is running already. It shows one minute and five seconds.',
    'The stopwatch stopped at one minute and 30 seconds.',
    'The stopwatch is stopped at one minute and 30 seconds.',
    'The stopwatch is already stopped, at one minute and 30 seconds.',
    'The stopwatch continues from one minute and 30 seconds.',
    'The stopwatch stopped at two minutes.',
    'I reset the stopwatch. It showed two minutes.',
    'No stopwatch is running.',
  ]);
});

test('each room has its own; if the house has only one, that one is meant', {
  tags: 'slow',
}, async () => {
  await say('Start the stopwatch.', { room: 'kitchen', conversation: 'a' });
  nowMs += 10_000;
  const fromElsewhere = await say('What does the stopwatch say?', { room: 'gym', conversation: 'b' });
  await say('Start the stopwatch.', { room: 'gym', conversation: 'b' });
  nowMs += 5_000;

  const inGym = await say('Stop the stopwatch.', { room: 'gym', conversation: 'b' });
  const inKitchen = await say('What does the stopwatch say?', { room: 'kitchen', conversation: 'a' });
  const inBath = await say('Stop the stopwatch.', { room: 'bath', conversation: 'c' });

  expect(fromElsewhere).toBe('The stopwatch is running. It shows ten seconds.');
  expect(inGym).toBe('The stopwatch stopped at five seconds.');
  expect(inKitchen).toBe('The stopwatch is running. It shows 15 seconds.');
  expect(inBath).toBe('No stopwatch is running.');
});

test('a change is undone', async () => {
  await say('Start the stopwatch.');
  nowMs += 20_000;
  await say('Reset the stopwatch.');

  const undone = await say('Undo that.');
  nowMs += 10_000;

  expect(undone).toBe('I put the stopwatch back.');
  expect(await say('What does the stopwatch say?')).toBe('The stopwatch is running. It shows 30 seconds.');
});
