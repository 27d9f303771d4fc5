import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextTime } from '../../api/src/timers/repetition.ts';
import type { Timer } from '../../api/src/timers/timer.ts';
import { dutch } from '../support/said-times/dutch.ts';
import { english } from '../support/said-times/english.ts';
import { french } from '../support/said-times/french.ts';
import { german } from '../support/said-times/german.ts';
import { italian } from '../support/said-times/italian.ts';
import { type SaidTime, saidOften, saidOnce } from '../support/said-times/said-time.ts';
import { spanish } from '../support/said-times/spanish.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question, skillsOf } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
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

/** Whether it was set; wrong if something else was set, or if nothing was said. */
async function heard(
  { responder, timers }: ReturnType<typeof skillsOf>,
  { text, now, kind, label, meanings }: SaidTime,
): Promise<'set' | 'not set' | 'wrong'> {
  await redis.flushall();
  const answer = await responder.respond(question(text, { room: 'kitchen', createdAt: now.toMillis() }));
  const [timer, ...others] = await timers.all();
  if (!timer) return 'not set';
  const times = timesOf(timer);
  const isMeant = meanings.some(
    (meant) => meant.length === times.length && meant.every((due, place) => due.toMillis() === times[place]),
  );
  const isText = (timer.label?.toLowerCase() ?? null) === (label?.toLowerCase() ?? null);
  const isTold = (answer?.text ?? '').trim() !== '';
  return isMeant && isText && isTold && timer.kind === kind && others.length === 0 ? 'set' : 'wrong';
}

// English has the most phrases.
describe.each([
  { tag: 'en', phrases: english, fast: 150, seeds: [2, 3, 4, 5, 6] },
  { tag: 'de', phrases: german, fast: 30, seeds: [2] },
  { tag: 'fr', phrases: french, fast: 30, seeds: [2] },
  { tag: 'es', phrases: spanish, fast: 30, seeds: [2] },
  { tag: 'it', phrases: italian, fast: 30, seeds: [2] },
  { tag: 'nl', phrases: dutch, fast: 30, seeds: [2] },
])('a time that is said in $tag', ({ tag, phrases, fast, seeds }) => {
  let skills: ReturnType<typeof skillsOf>;

  beforeAll(() => {
    skills = skillsOf(tag, redis);
  });

  /** Hears this many requests. Returns the share that was set, of those for a time still to come. */
  const shareSet = async (said: typeof saidOnce, numRuns: number, seed: number): Promise<number> => {
    let [set, all] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.gen().map((g) => said(g, phrases)),
        async (request) => {
          const found = await heard(skills, request);
          expect(found, `${request.now.toISO()}: ${request.text}`).not.toBe('wrong');
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

  describe.each([
    ['once', saidOnce],
    ['again and again', saidOften],
  ])('and meant %s', (_name, said) => {
    test('is never taken for another one, and nearly always understood', async () => {
      expect(await shareSet(said, fast, 1)).toBeGreaterThan(0.9);
    });

    test.for(seeds)('is never taken for another one, with seed %i', { tags: 'slow' }, async (seed) => {
      expect(await shareSet(said, 500, seed)).toBeGreaterThan(0.9);
    });
  });
});
