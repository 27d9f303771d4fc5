import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHouseholdClock, type StoredClock } from '../../api/src/redis/household-clock.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let redis: OwnRedis;
let open: { clock: StoredClock; connection: Redis }[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(async () => {
  const connection = await connectTo(redis.url);
  await connection.flushall();
  connection.disconnect();
});
afterEach(() => {
  for (const { clock, connection } of open) {
    clock.stop();
    connection.disconnect();
  }
  open = [];
});
afterAll(async () => {
  await redis?.stop();
});

/**
 * A machine. Redis's clock is real, so the machine's own time moves instead. A slow own time looks like a
 * step forward of Redis's clock.
 */
function machine(boot: string) {
  let steppedMs = 0;
  const passedMs = () => performance.now() - steppedMs;
  const steps: number[] = [];
  return {
    steps,
    /** Sets the clock of Redis forward by this much. */
    step: (ms: number) => {
      steppedMs += ms;
    },
    /** A process on it. `stall`: it is stopped after the nth reading of the uptime. */
    async start({ wallAheadMs = 0, isSlow = false, stall = { nth: 0, ms: 0 } } = {}) {
      const connection = await connectTo(redis.url);
      let readings = 0;
      const uptimeMs = () => {
        const ms = passedMs() + 100_000;
        readings += 1;
        if (readings === stall.nth) standStill(stall.ms);
        return ms;
      };
      const clock = createHouseholdClock({
        redis: connection,
        boot,
        ownMs: passedMs,
        uptimeMs,
        wallMs: () => Date.now() + wallAheadMs,
        onStep: (ms) => steps.push(ms),
      });
      open.push({ clock, connection });
      await (isSlow ? slowly(() => clock.compare()) : clock.compare());
      return clock;
    },
  };
}

/** Nothing else runs in this process meanwhile. */
function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Redis hangs before it answers: its time is then that of the end, not that of the middle. */
async function slowly(work: () => Promise<void>): Promise<void> {
  await redis.freeze();
  const answered = work();
  const until = performance.now() + 1_500;
  await waitFor(() => performance.now() >= until);
  await redis.thaw();
  await answered;
}

const isNear = (ms: number, other: number) => Math.abs(ms - other) < 200;

describe("the household's clock", () => {
  test.each([10_000, hourMs, 3 * dayMs, -10_000, -hourMs, -3 * dayMs])(
    'excludes a step of %d ms from the elapsed time',
    async (byMs) => {
      const home = machine('boot');
      const clock = await home.start();
      const [before, beganMs] = [clock.steady(), performance.now()];

      home.step(byMs);
      await clock.compare();

      // Time that passed for the test passed for every process; moving the machine's own time only simulates
      // the step.
      expect(isNear(clock.steady() - before, performance.now() - beganMs - byMs)).toBe(true);
      expect(isNear(clock.shiftMs(), byMs)).toBe(true);
      expect(isNear(clock.now(), Date.now())).toBe(true);
      expect(home.steps.map((ms) => isNear(ms, byMs))).toEqual([true]);
    },
  );

  test('does not take a slow answer for a step', { tags: 'slow' }, async () => {
    const home = machine('boot');
    const clock = await home.start({ isSlow: true });
    await clock.compare();
    const offAtFirstMs = clock.steady() - Date.now();
    await slowly(() => clock.compare());
    const offMs = clock.steady() - Date.now();

    expect([offAtFirstMs, offMs].map((ms) => Math.abs(ms) < 100)).toEqual([true, true]);
    expect([clock.shiftMs(), home.steps]).toEqual([0, []]);
  });

  test.each([1, 2])('does not take a stall at reading %d of the uptime for a step', async (nth) => {
    const home = machine('boot');
    const first = await home.start({ stall: { nth, ms: 500 } });
    const second = await home.start({ stall: { nth, ms: 500 } });
    for (const clock of [second, first, second, first]) await clock.compare();

    expect([first.shiftMs(), second.shiftMs(), home.steps]).toEqual([0, 0, []]);
  });

  test('counts a step once, however many processes see it', async () => {
    const home = machine('boot');
    const clocks = await Promise.all([home.start(), home.start(), home.start()]);

    home.step(hourMs);
    for (let nth = 0; nth < 3; nth += 1) await Promise.all(clocks.map((clock) => clock.compare()));

    expect(clocks.map((clock) => isNear(clock.shiftMs(), hourMs))).toEqual([true, true, true]);
    expect(home.steps).toHaveLength(1);
  });

  test('detects a step that happened while no process ran', async () => {
    const home = machine('boot');
    const clock = await home.start();
    clock.stop();
    const before = clock.steady();

    home.step(hourMs);
    const again = await home.start();

    expect([again.era(), isNear(again.shiftMs(), hourMs)]).toEqual([clock.era(), true]);
    expect(isNear(again.steady(), before - hourMs)).toBe(true);
  });

  test('starts a new era after a reboot, because the elapsed time is unknown', async () => {
    const clock = await machine('boot').start();
    clock.stop();

    const again = await machine('next-boot').start();

    expect(again.era()).not.toBe(clock.era());
    expect([again.shiftMs(), isNear(again.steady(), Date.now())]).toEqual([0, true]);
  });

  test('ignores the clock of another machine, and knows its offset', async () => {
    const clock = await machine('boot').start();
    const other = await machine('other').start({ wallAheadMs: 90_000 });
    await clock.compare();
    await other.compare();

    expect(isNear(other.now(), clock.now())).toBe(true);
    expect(isNear(other.steady(), clock.steady())).toBe(true);
    expect(other.era()).toBe(clock.era());
    expect([isNear(other.aheadMs() ?? 0, 90_000), isNear(clock.aheadMs() ?? 90_000, 0)]).toEqual([
      true,
      true,
    ]);
  });

  test("ignores another machine's report of a step", async () => {
    const home = machine('boot');
    const clock = await home.start();
    const elsewhere = machine('other');
    const other = await elsewhere.start();
    await clock.compare();
    await other.compare();

    elsewhere.step(hourMs);
    for (let nth = 0; nth < 3; nth += 1) await other.compare();
    await clock.compare();

    expect(elsewhere.steps).toEqual([]);
    expect([clock, other].map((each) => isNear(each.shiftMs(), 0))).toEqual([true, true]);
  });

  test('continues when Redis has lost everything', async () => {
    const home = machine('boot');
    const clock = await home.start();
    home.step(hourMs);
    await clock.compare();
    const [era, before] = [clock.era(), clock.steady()];

    const connection = await connectTo(redis.url);
    await connection.flushall();
    connection.disconnect();
    await clock.compare();
    const later = await home.start();

    expect([later.era(), isNear(later.shiftMs(), hourMs)]).toEqual([era, true]);
    expect(isNear(later.steady(), before)).toBe(true);
  });
});
