import { describe, expect, test } from 'vitest';
import { changedTimer } from '../../../api/src/timers/timer-records.ts';
import { minuteMs, now, timer } from '../../support/timers.ts';

const ringing = timer({ state: 'ringing', ringingAt: now, heardAt: now + 1_000, revision: 3 });

describe('a changed timer', () => {
  test('runs again with a new time, even if it rings', () => {
    const changed = changedTimer(ringing, { dueAt: now + minuteMs, durationMs: minuteMs });

    const counts = { by: 'clock', era: '', shiftMs: 0 } as const;
    expect(changed).toEqual(timer({ dueAt: now + minuteMs, durationMs: minuteMs, revision: 4, counts }));
  });

  test('continues to ring with a new name', () => {
    const changed = changedTimer(ringing, { label: 'eggs' });

    expect(changed).toEqual({ ...ringing, label: 'eggs', revision: 4 });
  });
});
