import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRingJob } from '../../../api/src/jobs/ring-job.ts';
import type { Timer } from '../../../api/src/timers/timer.ts';
import { now, timer } from '../../support/timers.ts';

beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => void vi.useRealTimers());

/** The job of a timer that is read as `first` and later as `then`, and how late it was processed. */
function ringing(first: Timer | null, then = first) {
  const lateMs: number[] = [];
  let found = first;
  const job = createRingJob({
    timers: {
      read: async () => {
        const read = found;
        found = then;
        return read;
      },
    },
    sweep: { tend: async ({ dueAt }, at) => void lateMs.push(at - dueAt) },
  });
  return { job: () => job({ timerId: timer().id }), lateMs };
}

describe('the job of a timer', () => {
  test('has it ring when it is due', async () => {
    const { job, lateMs } = ringing(timer({ dueAt: now - 5 }));

    await job();

    expect(lateMs).toEqual([5]);
  });

  test('waits where the clock of another worker is a little ahead', async () => {
    const { job, lateMs } = ringing(timer({ dueAt: now + 400 }));

    const done = job();
    await vi.advanceTimersByTimeAsync(405);
    await done;

    expect(lateMs).toEqual([5]);
  });

  test('leaves one alone that was cancelled while it waited', async () => {
    const { job, lateMs } = ringing(timer({ dueAt: now + 400 }), null);

    const done = job();
    await vi.advanceTimersByTimeAsync(405);
    await done;

    expect(lateMs).toEqual([]);
  });

  test('leaves one alone that was put off', async () => {
    const { job, lateMs } = ringing(timer({ dueAt: now + 60_000 }));

    await job();

    expect(lateMs).toEqual([]);
  });
});
