import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActionStore } from '../../api/src/actions/action-store.ts';
import type { NewTimer, Timer } from '../../api/src/timers/timer.ts';
import { timersOfAction } from '../../api/src/timers/timer-records.ts';
import { createTimerStore, type TimerStore } from '../../api/src/timers/timer-store.ts';
import { type OwnRedis, startRedis } from '../support/own-redis.ts';
import { question } from '../support/skills.ts';
import { minuteMs, now } from '../support/timers.ts';

let server: OwnRedis;
let redis: Redis;
let store: TimerStore;
let jobs: string[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  store = createTimerStore({
    redis,
    jobs: {
      add: async ({ dueAt }) => void jobs.push(`+${(dueAt - now) / minuteMs}`),
      remove: async ({ dueAt }) => void jobs.push(`-${(dueAt - now) / minuteMs}`),
    },
  });
});
beforeEach(async () => {
  jobs = [];
  await redis.flushall();
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

let turns = 0;
/** Something that a turn does in the conversation of the kitchen. */
function by(turn?: string) {
  turns += 1;
  const action = { turn: turn ?? `turn-${turns}`, at: now, kind: 'timer.test', about: {} };
  return { action, conversation: 'kitchen' };
}
const pasta = (more: Partial<NewTimer> = {}): NewTimer => ({
  kind: 'timer',
  label: 'pasta',
  room: 'kitchen',
  client: 'kitchen',
  setAt: now,
  dueAt: now + 10 * minuteMs,
  durationMs: 10 * minuteMs,
  ...more,
});
async function set(more: Partial<NewTimer> = {}): Promise<Timer> {
  const timer = await store.set(by(), pasta(more));
  if (timer === 'full') throw new Error('there are too many timers');
  return timer;
}
/** Takes back what was done last and not taken back yet. */
async function undoLast(at = now): Promise<boolean> {
  const latest = await createActionStore({ redis }).latest(
    question('undo that', { conversation: 'kitchen' }).turn,
  );
  const found = latest.find(({ action }) => action.undoneAt === undefined);
  return found !== undefined && (await store.undo(found, { conversation: 'kitchen', now: at }));
}

describe('a turn', () => {
  test('sets a timer once, however often its job runs', async () => {
    const first = await store.set(by('same'), pasta());
    const again = await store.set(by('same'), pasta());

    expect(again).toEqual(first);
    expect(await store.all()).toEqual([first]);
  });

  test('cancels what it cancelled, however often its job runs', async () => {
    const timer = await set();

    const first = await store.cancel(by('same'), [timer.id]);
    const again = await store.cancel(by('same'), [timer.id]);

    expect([first, again]).toEqual([[timer], [timer]]);
    expect(await store.all()).toEqual([]);
  });

  test('leaves a record of what there was before and after', async () => {
    const timer = await set();
    await store.change(by(), timer, { dueAt: now + minuteMs });

    const [last] = await createActionStore({ redis }).latest(question('what did you do?').turn);

    const { dueAt, revision } = timersOfAction(last?.action ?? { values: [] })[0]?.after ?? timer;
    expect({ dueAt, revision }).toEqual({ dueAt: now + minuteMs, revision: 2 });
  });
});

describe('a timer', () => {
  test('has a job for each due time, and none for one that is not any more', async () => {
    const timer = await set();

    const later = await store.change(by(), timer, { dueAt: now + 20 * minuteMs });
    await store.cancel(by(), [timer.id]);

    expect(later?.revision).toBe(2);
    expect(jobs).toEqual(['+10', '+20', '-10', '-20']);
  });

  test('that was changed meanwhile is not changed by what was read before', async () => {
    const timer = await set();
    await store.change(by(), timer, { label: 'noodle' });

    expect(await store.change(by(), timer, { dueAt: now + minuteMs })).toBeNull();
    expect(await store.all()).toMatchObject([{ label: 'noodle', dueAt: timer.dueAt }]);
  });

  test('rings once, whoever finds it due', async () => {
    const timer = await set();

    const rang = await Promise.all(Array.from({ length: 20 }, () => store.ring(timer, timer.dueAt)));

    expect(rang.filter(Boolean)).toHaveLength(1);
  });

  test('that rings and is given more time runs again', async () => {
    await store.ring(await set(), now);
    const [ringing] = await store.all();
    if (!ringing) throw new Error('none rings');

    await store.change(by(), ringing, { dueAt: now + 5 * minuteMs });

    expect(await store.all()).toMatchObject([{ state: 'running', ringingAt: null, heardAt: null }]);
  });

  test('is one of a hundred at the most, of which those that were missed are none', async () => {
    const some = await Promise.all(Array.from({ length: 100 }, () => set()));

    const full = await store.set(by(), pasta());
    await store.ring(some[0] ?? (await set()), now);
    const [ringing] = await store.ringing();
    if (ringing) await store.miss(ringing);

    expect(full).toBe('full');
    expect(await store.set(by(), pasta())).toMatchObject({ label: 'pasta' });
  });

  test('with a record that nobody can read does not keep the others from ringing', async () => {
    const timer = await set();
    await redis.hset('hearth:timers', 'broken', '{', 'old', '{"state":"running"}');

    expect(await store.all()).toEqual([timer]);
  });
});

describe('ringing ends', () => {
  test('where it is heard, and once', async () => {
    const [kitchen, bath] = [await set(), await set({ room: 'bath' })];
    for (const timer of [kitchen, bath]) await store.ring(timer, now);
    const seenAt = Date.now();
    const satellite = (room: string) => JSON.stringify({ room, conversation: `${room}-satellite`, seenAt });
    await redis.hset('hearth:connected-satellites', 'k', satellite('kitchen'), 'b', satellite('bath'));

    const stopped = await store.acknowledge(by('same'), {
      room: 'kitchen',
      conversation: 'kitchen-satellite',
    });
    const again = await store.acknowledge(by('same'), { room: 'kitchen', conversation: 'kitchen-satellite' });

    expect([stopped, again].map((timers) => timers.map(({ id }) => id))).toEqual([
      [kitchen.id],
      [kitchen.id],
    ]);
    expect((await store.ringing()).map(({ id }) => id)).toEqual([bath.id]);
  });

  test('cannot be taken back', async () => {
    await store.ring(await set(), now);
    await store.acknowledge(by(), { room: null, conversation: 'api' });
    await undoLast();

    expect(await store.all()).toEqual([]);
  });
});

describe('taken back', () => {
  test('a cancelled timer runs again, with a job of its own', async () => {
    const timer = await set();
    await store.cancel(by(), [timer.id]);
    jobs = [];

    expect(await undoLast()).toBe(true);
    expect(await store.all()).toEqual([{ ...timer, revision: 2 }]);
    expect(jobs).toEqual(['+10']);
  });

  test('a cancelled timer whose time is over stays away', async () => {
    const timer = await set();
    await store.cancel(by(), [timer.id]);

    expect(await undoLast(timer.dueAt)).toBe(false);
    expect(await store.all()).toEqual([]);
  });

  test('a timer that was set is gone, also when it rings already', async () => {
    await store.ring(await set(), now);

    expect(await undoLast()).toBe(true);
    expect(await store.all()).toEqual([]);
  });

  test('a new name leaves the job as it is', async () => {
    const timer = await set();

    await store.change(by(), timer, { label: 'noodle' });

    expect(jobs).toEqual(['+10', '+10']);
  });

  test('a change that was changed again stays', async () => {
    const timer = await set();
    const later = await store.change(by(), timer, { dueAt: now + 20 * minuteMs });
    if (later) await store.change({ ...by(), conversation: null }, later, { dueAt: now + 30 * minuteMs });

    expect(await undoLast()).toBe(false);
    expect(await store.all()).toMatchObject([{ dueAt: now + 30 * minuteMs }]);
  });
});

type Step =
  | { do: 'set'; inMs: number }
  | { do: 'change'; which: number; inMs: number }
  | { do: 'cancel' | 'undo'; which: number };

const inMs = fc.integer({ min: 1_000, max: 1_000_000 });
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('set'), inMs }),
  fc.record({ do: fc.constant('change'), which, inMs }),
  fc.record({ do: fc.constantFrom('cancel', 'undo'), which }),
);

/** Does a step. False: there was nothing to do it to. */
async function take(each: Exclude<Step, { do: 'undo' }>, timers: readonly Timer[]): Promise<boolean> {
  if (each.do === 'set') return (await set({ dueAt: now + each.inMs })) !== null;
  const chosen = timers[each.which % Math.max(1, timers.length)];
  if (chosen === undefined) return false;
  if (each.do === 'cancel') await store.cancel(by(), [chosen.id]);
  if (each.do === 'change') await store.change(by(), chosen, { dueAt: now + each.inMs });
  return true;
}

test('whatever is done, all of it can be taken back step by step', async () => {
  const dues = async () => (await store.all()).map(({ id, dueAt }) => `${id} ${dueAt}`).toSorted();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      await redis.flushall();
      const history: string[][] = [];
      for (const each of steps) {
        const before = await dues();
        if (each.do !== 'undo') {
          if (await take(each, await store.all())) history.push(before);
        } else if (await undoLast()) expect(await dues()).toEqual(history.pop());
      }
      while (await undoLast()) expect(await dues()).toEqual(history.pop());

      expect(history).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
