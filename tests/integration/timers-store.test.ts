import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActionStore } from '../../api/src/actions/action-store.ts';
import { timerActionSchema } from '../../api/src/timers/timer-action.ts';
import { by, pasta, type StoredTimers, startStoredTimers } from '../support/servers/stored-timers.ts';
import { question } from '../support/skills.ts';
import { minuteMs, now } from '../support/timers.ts';

let kept: StoredTimers;
beforeAll(async () => {
  kept = await startStoredTimers();
});
beforeEach(() => kept.forget());
afterAll(() => kept?.stop());

describe('a turn', () => {
  test('sets a timer once, however often its job runs', async () => {
    const first = await kept.store.set(by('same'), pasta());
    const again = await kept.store.set(by('same'), pasta());

    expect(again).toEqual(first);
    expect(await kept.store.all()).toEqual([first]);
  });

  test('cancels its timers, however often its job runs', async () => {
    const timer = await kept.set();

    const first = await kept.store.cancel(by('same'), [timer.id]);
    const again = await kept.store.cancel(by('same'), [timer.id]);

    expect([first, again]).toEqual([[timer], [timer]]);
    expect(await kept.store.all()).toEqual([]);
  });

  test('stores a record of the state before and after', async () => {
    const timer = await kept.set();
    await kept.store.change(by(), timer, { dueAt: now + minuteMs });

    const actions = createActionStore({ redis: kept.redis, schema: timerActionSchema });
    const [last] = await actions.latest(question('what did you do?').turn);

    const { dueAt, revision } = last?.action.timers[0]?.after ?? timer;
    expect({ dueAt, revision }).toEqual({ dueAt: now + minuteMs, revision: 2 });
  });
});

describe('a timer', () => {
  test('has a job for each due time, and none for an old one', async () => {
    const timer = await kept.set();

    const later = await kept.store.change(by(), timer, { dueAt: now + 20 * minuteMs });
    await kept.store.cancel(by(), [timer.id]);

    expect(later?.revision).toBe(2);
    expect(kept.jobs).toEqual(['+10', '+20', '-10', '-20']);
  });

  test('that was changed meanwhile is not changed by an older read', async () => {
    const timer = await kept.set();
    await kept.store.change(by(), timer, { label: 'noodle' });

    expect(await kept.store.change(by(), timer, { dueAt: now + minuteMs })).toBeNull();
    expect(await kept.store.all()).toMatchObject([{ label: 'noodle', dueAt: timer.dueAt }]);
  });

  test('rings once, whichever process finds it due', async () => {
    const timer = await kept.set();

    const rang = await Promise.all(Array.from({ length: 20 }, () => kept.store.ring(timer, timer.dueAt)));

    expect(rang.filter(Boolean)).toHaveLength(1);
  });

  test('that rings and gets more time runs again', async () => {
    await kept.store.ring(await kept.set(), now);
    const [ringing] = await kept.store.all();
    if (!ringing) throw new Error('none rings');

    await kept.store.change(by(), ringing, { dueAt: now + 5 * minuteMs });

    expect(await kept.store.all()).toMatchObject([{ state: 'running', ringingAt: null, heardAt: null }]);
  });

  test('that is paused has no job, keeps its remaining time, and resumes with it', async () => {
    const timer = await kept.set();

    const paused = await kept.store.change(by(), timer, { leftMs: 4 * minuteMs });
    if (paused === null) throw new Error('it was not paused');
    const rang = await kept.store.ring(paused);
    const again = await kept.store.change(by(), paused, { dueAt: now + 14 * minuteMs, by: 'length' });

    expect(paused).toMatchObject({ state: 'paused', leftMs: 4 * minuteMs });
    expect(rang).toBe(false);
    expect(again).toMatchObject({ state: 'running', dueAt: now + 14 * minuteMs });
    expect(again).not.toHaveProperty('leftMs');
    expect(kept.jobs).toEqual(['+10', '-10', '+14', '-10']);
  });

  test('is set with others at once, or none of them is', async () => {
    await Promise.all(Array.from({ length: 99 }, () => kept.set()));

    const both = await kept.store.setAll(by(), [pasta({ label: 'one' }), pasta({ label: 'two' })]);

    expect(both).toBe('full');
    expect(await kept.store.all()).toHaveLength(99);
  });

  test('is one of at most a hundred, without the missed ones', async () => {
    const some = await Promise.all(Array.from({ length: 100 }, () => kept.set()));

    const full = await kept.store.set(by(), pasta());
    await kept.store.ring(some[0] ?? (await kept.set()), now);
    const [ringing] = await kept.store.ringing();
    if (ringing) await kept.store.miss(ringing);

    expect(full).toBe('full');
    expect(await kept.store.set(by(), pasta())).toMatchObject({ label: 'pasta' });
  });

  test('with an unreadable record does not stop the others from ringing', async () => {
    const timer = await kept.set();
    await kept.redis.hset('hearth:timers', 'broken', '{', 'old', '{"state":"running"}');

    expect(await kept.store.all()).toEqual([timer]);
    expect(await kept.store.set(by(), pasta())).toMatchObject({ label: 'pasta' });
  });
});

describe('the end of a ringing', () => {
  test('happens where it is audible, and once', async () => {
    const [kitchen, bath] = [await kept.set(), await kept.set({ room: 'bath' })];
    for (const timer of [kitchen, bath]) await kept.store.ring(timer, now);
    const seenAt = Date.now();
    const satellite = (room: string) => JSON.stringify({ room, conversation: `${room}-satellite`, seenAt });
    await kept.redis.hset('hearth:connected-satellites', 'k', satellite('kitchen'), 'b', satellite('bath'));

    const stopped = await kept.store.acknowledge(by('same'), {
      room: 'kitchen',
      conversation: 'kitchen-satellite',
    });
    const again = await kept.store.acknowledge(by('same'), {
      room: 'kitchen',
      conversation: 'kitchen-satellite',
    });

    expect([stopped, again].map((timers) => timers.map(({ id }) => id))).toEqual([
      [kitchen.id],
      [kitchen.id],
    ]);
    expect((await kept.store.ringing()).map(({ id }) => id)).toEqual([bath.id]);
  });

  test('cannot be undone', async () => {
    await kept.store.ring(await kept.set(), now);
    await kept.store.acknowledge(by(), { room: null, conversation: 'api' });
    await kept.undoLast();

    expect(await kept.store.all()).toEqual([]);
  });
});
