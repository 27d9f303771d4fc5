import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { machineClock } from '../../api/src/redis/household-clock.ts';
import { repetitionFrom } from '../../api/src/timers/repetition.ts';
import { createZoneChange } from '../../api/src/timers/zone-change.ts';
import { type StoredTimers, startStoredTimers } from '../support/servers/stored-timers.ts';
import { minuteMs, now } from '../support/timers.ts';

let kept: StoredTimers;
beforeAll(async () => {
  kept = await startStoredTimers();
});
beforeEach(() => kept.forget());
afterAll(() => kept?.stop());

/** A worker starts with this time zone, at 18:00 UTC on a Saturday in November. */
const start = (timeZone: string) => {
  const { redis, jobs, store: timers } = kept;
  const clock = { ...machineClock, now: () => now };
  const log = { add: async () => void jobs.push('add'), remove: async () => void jobs.push('remove') };
  return createZoneChange({ redis, jobs: log, timers, timeZone, clock })();
};
const localTimes = async (timeZone: string) =>
  (await kept.store.all()).map(({ dueAt }) => new Date(dueAt).toLocaleString('sv', { timeZone }));
const everyDayAt = (hour: number, timeZone: string) => {
  const repeats = repetitionFrom('FREQ=DAILY', { timeZone, after: now, hour, minute: 0 });
  return { kind: 'alarm', by: 'clock', label: null, durationMs: null, repeats } as const;
};
const at = (time: string) => Date.parse(`2026-11-${time}Z`);

describe('after a change of the time zone', () => {
  test('a repeating alarm rings at its local time, today and later', async () => {
    await start('UTC');
    await kept.set({ ...everyDayAt(7, 'UTC'), dueAt: at('22T07:00:00') });
    kept.jobs.length = 0;

    expect(await start('America/New_York')).toBe(1);

    expect(await localTimes('America/New_York')).toEqual(['2026-11-22 07:00:00']);
    expect(kept.jobs).toEqual(['add', 'remove']);
    const [moved] = await kept.store.all();
    if (moved) await kept.store.ring(moved);
    const next = (await localTimes('America/New_York')).map((time) => time.slice(-8));
    expect(next).toEqual(['07:00:00', '07:00:00']);
  });

  test('a repeating alarm that was due meanwhile rings at its next time', async () => {
    await start('UTC');
    await kept.set({ ...everyDayAt(20, 'UTC'), dueAt: at('21T20:00:00') });

    await start('Asia/Tokyo');

    expect(await localTimes('Asia/Tokyo')).toEqual(['2026-11-22 20:00:00']);
  });

  test('an alarm that rings once keeps its local time, or its moment if that has passed', async () => {
    await start('UTC');
    await kept.set({ kind: 'alarm', by: 'clock', durationMs: null, dueAt: at('22T07:00:30') });
    await kept.set({ kind: 'reminder', by: 'clock', durationMs: null, dueAt: at('21T18:30:00') });

    expect(await start('Europe/Berlin')).toBe(1);

    expect(await localTimes('Europe/Berlin')).toEqual(['2026-11-21 19:30:00', '2026-11-22 07:00:30']);
  });

  test('a timer and a reminder "in two hours" keep their moments', async () => {
    await start('UTC');
    await kept.set();
    await kept.set({ kind: 'reminder', dueAt: now + 120 * minuteMs });
    const before = await kept.store.all();

    expect(await start('America/New_York')).toBe(0);

    expect(await kept.store.all()).toEqual(before);
  });

  test('an alarm moves once, however many workers start', async () => {
    await start('UTC');
    await kept.set({ kind: 'alarm', by: 'clock', durationMs: null, dueAt: at('22T07:00:00') });

    const counts = await Promise.all([
      start('Europe/Berlin'),
      start('Europe/Berlin'),
      start('Europe/Berlin'),
    ]);

    expect(counts.toSorted()).toEqual([0, 0, 1]);
    expect(await localTimes('Europe/Berlin')).toEqual(['2026-11-22 07:00:00']);
  });

  test('a repeating alarm of an earlier version moves, though no zone is stored', async () => {
    await kept.set({ ...everyDayAt(7, 'UTC'), dueAt: at('22T07:00:00') });

    await start('Europe/Berlin');

    expect(await localTimes('Europe/Berlin')).toEqual(['2026-11-22 07:00:00']);
  });
});
