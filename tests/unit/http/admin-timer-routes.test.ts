import { describe, expect, test } from 'vitest';
import { adminTimerRoutes } from '../../../api/src/http/admin-timer-routes.ts';
import { machineClock } from '../../../api/src/redis/household-clock.ts';
import type { NewTimer } from '../../../api/src/timers/timer.ts';

/** Not the time of the machine. */
const householdNow = Date.parse('2026-11-21T18:05:00Z');
const clock = { ...machineClock, now: () => householdNow };

describe('a timer set by hand', () => {
  test.each([
    { body: { kind: 'timer', duration_seconds: 600 }, dueAt: householdNow + 600_000 },
    { body: { kind: 'alarm', due_at: '2026-11-21T18:06:00Z' }, dueAt: householdNow + 60_000 },
    // A Saturday at 19:05 in Berlin.
    { body: { kind: 'alarm', time: '19:06' }, dueAt: householdNow + 60_000 },
    { body: { kind: 'alarm', time: '07:00', days: ['MO'] }, dueAt: Date.parse('2026-11-23T06:00:00Z') },
  ] as const)('uses the clock of the household: $body.kind', async ({ body, dueAt }) => {
    const kept: NewTimer[] = [];
    const routes = adminTimerRoutes({
      clock,
      timeZone: 'Europe/Berlin',
      restore: async () => 'unknown',
      timers: {
        all: async () => [],
        read: async () => null,
        remove: async () => null,
        cancel: async () => [],
        change: async () => null,
        set: async (_by, timer) => {
          kept.push(timer);
          return 'full';
        },
      },
    });
    const request = { id: 'a', caller: { scope: 'administer', tokenName: 'owner' } };

    await expect(routes.setTimer({ body, request } as never)).rejects.toThrow('There can be');

    expect(kept).toMatchObject([{ setAt: householdNow, dueAt }]);
  });
});
