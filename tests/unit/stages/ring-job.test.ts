import { describe, expect, test } from 'vitest';
import { createRingJob } from '../../../api/src/stages/ring-job.ts';
import type { Timer } from '../../../api/src/timers/timer.ts';
import { now, timer } from '../../support/timers.ts';

/** The timers that the job passes on, if this is the read timer. */
async function handedOn(found: Timer | null): Promise<Timer[]> {
  const tended: Timer[] = [];
  const sweep = { tend: async (each: Timer) => void tended.push(each) };
  await createRingJob({ timers: { read: async () => found }, sweep })({ timerId: timer().id });
  return tended;
}

describe('the job of a timer', () => {
  test('handles it, even if its worker is early', async () => {
    const [due, early] = [timer(), timer({ dueAt: now + 90_000 })];

    expect(await handedOn(due)).toEqual([due]);
    expect(await handedOn(early)).toEqual([early]);
  });

  test('ignores one that rings already or is gone', async () => {
    expect(await handedOn(timer({ state: 'ringing' }))).toEqual([]);
    expect(await handedOn(null)).toEqual([]);
  });
});
