import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextTime } from '../../api/src/timers/repetition.ts';
import type { Timer } from '../../api/src/timers/timer.ts';
import { type SaidTime, saidOften, saidOnce } from '../support/said-times.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { englishSkills, question } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let skills: ReturnType<typeof englishSkills>;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  skills = englishSkills(redis);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** The first three times at which a timer rings, in Unix ms. */
function timesOf({ dueAt, repeats }: Timer): number[] {
  const times = [dueAt];
  for (let last: number | null = dueAt; repeats && times.length < 3; ) {
    last = nextTime(repeats, last);
    if (last === null) break;
    times.push(last);
  }
  return times;
}

/** Whether it was set; wrong if something else was set. */
async function heard({ text, now, kind, label, meanings }: SaidTime): Promise<'set' | 'not set' | 'wrong'> {
  await redis.flushall();
  await skills.responder.respond(question(text, { room: 'kitchen', createdAt: now.toMillis() }));
  const [timer, ...others] = await skills.timers.all();
  if (!timer) return 'not set';
  const times = timesOf(timer);
  const isMeant = meanings.some(
    (meant) => meant.length === times.length && meant.every((due, place) => due.toMillis() === times[place]),
  );
  const isText = (timer.label?.toLowerCase() ?? null) === (label?.toLowerCase() ?? null);
  return isMeant && isText && timer.kind === kind && others.length === 0 ? 'set' : 'wrong';
}

describe.each([
  ['once', saidOnce],
  ['again and again', saidOften],
])('a time that is said and meant %s', (_name, said) => {
  /** Hears this many requests. Returns the share that was set, of those for a time still to come. */
  const shareSet = async (numRuns: number, seed: number): Promise<number> => {
    let [set, all] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.gen().map((g) => said(g)),
        async (request) => {
          const found = await heard(request);
          expect(found).not.toBe('wrong');
          if (request.meanings.length === 0) return;
          all += 1;
          set += found === 'set' ? 1 : 0;
        },
      ),
      // A request needs no shrinking: it is one sentence.
      { numRuns, seed, endOnFailure: true },
    );
    return set / all;
  };

  test('is never taken for another one, and nearly always understood', async () => {
    expect(await shareSet(150, 1)).toBeGreaterThan(0.9);
  });

  test.for([2, 3, 4, 5, 6])(
    'is never taken for another one, with seed %i',
    { tags: 'slow' },
    async (seed) => {
      expect(await shareSet(500, seed)).toBeGreaterThan(0.9);
    },
  );
});
