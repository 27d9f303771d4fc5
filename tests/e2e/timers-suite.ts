import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { call, cancelTimers, type Household, type Program } from './household.ts';

const timerSchema = z.object({
  id: z.string(),
  label: z.string().nullable(),
  due_at: z.iso.datetime(),
  state: z.string(),
});
const timersSchema = z.object({ timers: z.array(timerSchema) });

/** A timer may ring this late, unless the process that holds it is dead at that moment. */
const punctualMs = 1_000;
/** Three timers of four seconds are due this long after each other. */
const [timerMs, apartMs] = [4_000, 200];
/**
 * Within this, a dead program has restarted and handles all timers; with a large margin for a busy machine.
 */
const backMs = 20_000;

/**
 * A timer that rings although everything it depends on is replaced meanwhile. Each side has a different way
 * to replace it.
 */
export function timersSuite(of: () => Household): void {
  describe('with timers', () => replacedTests(of));
}

/** Timers that ring once and in time, although programs die. Dead programs restart automatically. */
export function dyingTimersSuite(of: () => Household): void {
  describe('with timers that ring', () => ringTests(of));
}

/** A room in which timers are set and ring; it removes all of them after each test. */
function inTimerRoom(of: () => Household) {
  let satellite: ListenClient | undefined;
  beforeEach(() => cancelTimers(of()));
  afterEach(async () => {
    await satellite?.close();
    satellite = undefined;
    await say('stop');
    await say('cancel all timers');
  });

  /** A satellite in the kitchen, as soon as the api answers. */
  const connect = () =>
    vi.waitFor(
      async () => {
        satellite = await connectListen(`http://127.0.0.1:${of().port}`, {
          client: 'kitchen-clock',
          room: 'timer-room',
        });
        return satellite;
      },
      { timeout: 60_000, interval: 100 },
    );
  /** Types a sentence in the room, which the skills answer. */
  const say = async (text: string): Promise<void> => {
    const { status, body } = await call(of(), { body: { text, room: 'timer-room' } });
    expect([status, body]).toMatchObject([200, { via: 'skills' }]);
  };
  const timers = async () => timersSchema.parse((await call(of(), { path: '/admin/timers' })).body).timers;
  /** Sets a timer as a person who types in the room. Returns when the last one is due, as Unix time in ms. */
  const set = async (words: string): Promise<number> => {
    await say(words);
    return Math.max(...(await timers()).map(({ due_at }) => Date.parse(due_at)));
  };
  const until = (at: number) => new Promise((over) => setTimeout(over, Math.max(0, at - Date.now())));
  /** How late it rang, in ms, and its words. */
  const ring = async (room: ListenClient, dueAt: number) => {
    const { unixMs } = await room.event('timer.finished', 0, 60_000);
    const { done } = await room.exchange(0, 60_000);
    return { lateMs: unixMs - dueAt, reply: done.reply };
  };
  const revive = async (programs: readonly Program[]) => {
    for (const program of programs) await of().bringBack(program);
    await vi.waitFor(() => say('what time is it'), { timeout: 60_000, interval: 200 });
  };

  return { connect, say, timers, set, until, ring, revive };
}

function replacedTests(of: () => Household): void {
  const { connect, set, ring, revive } = inTimerRoom(of);

  test('rings although worker, redis and api were all replaced meanwhile', async () => {
    const dueAt = await set('set a pasta timer for ten seconds');
    await of().kill('worker');
    await of().kill('redis');
    await Promise.all([of().restartApi(), revive(['redis', 'worker'])]);
    const backAt = Date.now();
    const room = await connect();

    const { lateMs, reply } = await ring(room, dueAt);

    expect(reply).toMatch(/^Your pasta timer (is done\.|ended)/);
    // In time, if everything was back in time.
    expect(lateMs).toBeLessThan(Math.max(punctualMs, backAt - dueAt + backMs));
    if (backAt < dueAt - 2_000) expect(lateMs).toBeLessThan(punctualMs);
  });
}

function ringTests(of: () => Household): void {
  const { connect, say, timers, set, until, ring, revive } = inTimerRoom(of);

  test('rings in its room within a second, once, and until someone stops it', async () => {
    const room = await connect();
    const dueAt = await set('set a pasta timer for four seconds');

    const { lateMs, reply } = await ring(room, dueAt);
    await room.exchange(1, 30_000);
    await say('stop');
    await room.event('timer.stopped');

    expect(reply).toBe('Your pasta timer is done.');
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(punctualMs);
    expect(room.events.filter(({ event }) => event.type === 'timer.finished')).toHaveLength(1);
    expect(await timers()).toEqual([]);
  });

  // When it dies, one timer is ringing, one is due at that moment, and one a moment later.
  test.each<Program>(['worker', 'redis'])(
    'killing %s around the due times of three timers loses none and repeats none',
    async (program) => {
      const room = await connect();
      const dueAt: number[] = [];
      for (const name of ['pasta', 'egg', 'rice']) {
        await until((dueAt.at(-1) ?? 0) - timerMs + apartMs);
        dueAt.push(await set(`set a ${name} timer for four seconds`));
      }
      await until(dueAt[1] ?? 0);

      await of().kill(program);
      await revive([program]);
      const rung = [];
      for (const nth of [0, 1, 2]) rung.push((await room.event('timer.finished', nth, 60_000)).event);
      await room.exchange(0, 60_000);

      expect(Date.now() - Math.max(...dueAt)).toBeLessThan(backMs);
      const kept = await timers();
      expect(kept.map(({ state }) => state)).toEqual(['ringing', 'ringing', 'ringing']);
      expect(rung.map(({ timer }) => timer.id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
      expect(room.events.filter(({ event }) => event.type === 'timer.finished')).toHaveLength(3);
    },
  );
}
