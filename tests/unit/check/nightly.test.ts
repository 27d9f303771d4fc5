import { afterEach, describe, expect, test } from 'vitest';
import { startNightly } from '../../../api/src/check/nightly.ts';

let night: ReturnType<typeof startNightly> | undefined;
afterEach(() => night?.stop());

/** Moves the clock through these moments, in Berlin. */
async function look(at: string, moments: readonly string[], isOurs = new Set<string>(), catchesUp = false) {
  let now = 0;
  let runs = 0;
  const started = startNightly({
    at: () => at,
    timeZone: 'Europe/Berlin',
    catchesUp,
    isOurs: async (day) => !isOurs.has(day) && isOurs.add(day) !== undefined,
    run: async () => {
      runs += 1;
    },
    onError: (error) => {
      throw error;
    },
    now: () => now,
  });
  night = started;
  for (const moment of moments) {
    now = Date.parse(moment);
    await started.look();
  }
  return runs;
}

describe('the nightly check', () => {
  test("runs once, at its time in the household's time zone", async () => {
    const moments = ['02:29:40Z', '02:30:00Z', '02:30:20Z', '02:30:40Z', '02:31:00Z'];

    expect(
      await look(
        '03:30',
        moments.map((time) => `2026-11-21T${time}`),
      ),
    ).toBe(1);
  });

  test('runs every night', async () => {
    expect(await look('03:30', ['2026-11-21T02:30:10Z', '2026-11-22T02:30:10Z'])).toBe(2);
  });

  test('runs in only one process', async () => {
    expect(await look('03:30', ['2026-11-21T02:30:10Z'], new Set(['2026-11-21']))).toBe(0);
  });

  test('does not run when it is switched off', async () => {
    expect(await look('never', ['2026-11-21T02:30:10Z'])).toBe(0);
  });

  test('runs later on the same day after a suspension', async () => {
    const moments = ['2026-11-21T01:00:00Z', '2026-11-21T18:00:00Z', '2026-11-21T19:00:00Z'];

    expect([await look('03:30', moments), await look('03:30', moments, new Set(), true)]).toEqual([0, 1]);
  });
});
