import { describe, expect, test } from 'vitest';
import { householdSteps } from '../../../api/src/check/household-steps.ts';
import { fakeHouseholdClock } from '../../support/fakes/household-clock.ts';

const now = 1_000_000;
const running = (dueAt: number) => ({ state: 'running', dueAt });

/** The findings of the step that checks timers, if these are set. */
async function found(...timers: { state: string; dueAt: number }[]) {
  const steps = householdSteps({
    files: { current: { progress: null, selection: null }, stop: async () => undefined },
    languageModels: { find: () => ({ state: 'ok', message: '' }) },
    satellites: () => 0,
    home: null,
    timers: { all: async () => timers },
    clock: fakeHouseholdClock(now).clock,
  });
  return steps.find(({ name }) => name === 'timers')?.look(new AbortController().signal);
}

describe('the check of timers', () => {
  test.each([
    [[], 'None is set.'],
    [[running(now + 1)], 'One is set, and it is not late.'],
    [[running(now + 1), running(now - 19_000)], '2 are set, and none is late.'],
  ])('reports timers: %j', async (timers, message) => {
    expect(await found(...timers)).toEqual({ state: 'ok', message });
  });

  test.each([
    [[running(now - 21_000)], 'A timer has not rung in time.'],
    [[running(now - 21_000), running(now - 99_000)], '2 timers have not rung in time.'],
  ])('reports late timers: %j', async (timers, message) => {
    expect(await found(...timers)).toMatchObject({ state: 'failed', message });
  });

  test('does not call ringing timers late', async () => {
    expect(await found({ state: 'ringing', dueAt: now - 99_000 })).toMatchObject({ state: 'ok' });
  });
});
