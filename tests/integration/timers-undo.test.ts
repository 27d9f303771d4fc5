import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCanBeUndone } from '../../api/src/actions/undoable.ts';
import { keys } from '../../api/src/redis/keys.ts';
import { repetitionFrom } from '../../api/src/timers/repetition.ts';
import type { Timer } from '../../api/src/timers/timer.ts';
import { by, pasta, type StoredTimers, startStoredTimers } from '../support/servers/stored-timers.ts';
import { minuteMs, now } from '../support/timers.ts';

let kept: StoredTimers;
beforeAll(async () => {
  kept = await startStoredTimers();
});
beforeEach(() => kept.forget());
afterAll(() => kept?.stop());

describe('after undo', () => {
  test('a cancelled timer runs again, with a new job', async () => {
    const timer = await kept.set();
    await kept.store.cancel(by(), [timer.id]);
    kept.jobs.length = 0;

    expect(await kept.undoLast()).toBe(true);
    expect(await kept.store.all()).toEqual([{ ...timer, revision: 2 }]);
    expect(kept.jobs).toEqual(['+10']);
  });

  test('a cancelled timer whose time has passed stays away', async () => {
    const timer = await kept.set();
    await kept.store.cancel(by(), [timer.id]);

    expect(await kept.undoLast(timer.dueAt)).toBe(false);
    expect(await kept.store.all()).toEqual([]);
  });

  test('a cancelled alarm that repeats rings at its next time, if the first has passed', async () => {
    const dueAt = now + 10 * minuteMs;
    const start = { timeZone: 'UTC', after: now, hour: 18, minute: 10 };
    const alarm = await kept.set({ kind: 'alarm', dueAt, repeats: repetitionFrom('FREQ=DAILY', start) });
    await kept.store.cancel(by(), [alarm.id]);

    expect(await kept.undoLast(dueAt)).toBe(true);
    expect(await kept.store.all()).toEqual([{ ...alarm, dueAt: dueAt + 24 * 60 * minuteMs, revision: 2 }]);
  });

  test('a new timer is gone, even if it rings already', async () => {
    await kept.store.ring(await kept.set(), now);

    expect(await kept.undoLast()).toBe(true);
    expect(await kept.store.all()).toEqual([]);
  });

  test('a renamed timer keeps its job', async () => {
    const timer = await kept.set();

    await kept.store.change(by(), timer, { label: 'noodle' });

    expect(kept.jobs).toEqual(['+10', '+10']);
  });

  test('a timer that was changed again keeps the change', async () => {
    const timer = await kept.set();
    const later = await kept.store.change(by(), timer, { dueAt: now + 20 * minuteMs });
    if (later)
      await kept.store.change({ ...by(), conversation: null }, later, { dueAt: now + 30 * minuteMs });

    expect(await kept.undoLast()).toBe(false);
    expect(await kept.store.all()).toMatchObject([{ dueAt: now + 30 * minuteMs }]);
  });
});

describe('a turn', () => {
  const canBeUndone = (turnId: string, kind: string) => {
    const of = createCanBeUndone({ redis: kept.redis, kinds: new Set([kind]) });
    return of({ turnId, conversation: 'kitchen' });
  };
  const acts = (turnId: string) => kept.redis.hset(keys.turn.of(turnId), 'acts', '1');

  test('that did nothing can be taken back', async () => {
    expect(await canBeUndone('asking', 'timer.change')).toBe(true);
  });

  test('that acted can be taken back if its actions are of a kind that can be', async () => {
    await acts('setting');
    await kept.store.set(by('setting'), pasta());

    expect(await canBeUndone('setting', 'timer.change')).toBe(true);
    expect(await canBeUndone('setting', 'home.switch')).toBe(false);
  });

  test('that acted without a record cannot be taken back', async () => {
    await acts('unlocking');

    expect(await canBeUndone('unlocking', 'home.switch')).toBe(false);
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

/** Runs a step. False if it had no target. */
async function take(each: Exclude<Step, { do: 'undo' }>, timers: readonly Timer[]): Promise<boolean> {
  if (each.do === 'set') return (await kept.set({ dueAt: now + each.inMs })) !== null;
  const chosen = timers[each.which % Math.max(1, timers.length)];
  if (chosen === undefined) return false;
  if (each.do === 'cancel') await kept.store.cancel(by(), [chosen.id]);
  if (each.do === 'change') await kept.store.change(by(), chosen, { dueAt: now + each.inMs });
  return true;
}

test('every action can be undone step by step', async () => {
  const dues = async () => (await kept.store.all()).map(({ id, dueAt }) => `${id} ${dueAt}`).toSorted();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      await kept.redis.flushall();
      const history: string[][] = [];
      for (const each of steps) {
        const before = await dues();
        if (each.do !== 'undo') {
          if (await take(each, await kept.store.all())) history.push(before);
        } else if (await kept.undoLast()) expect(await dues()).toEqual(history.pop());
      }
      while (await kept.undoLast()) expect(await dues()).toEqual(history.pop());

      expect(history).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
