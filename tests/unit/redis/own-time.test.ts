import { spawn } from 'node:child_process';
import { uptime } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createOwnTime, machineUptime } from '../../../api/src/redis/own-time.ts';

/** A machine that started a while ago. Its monotonic clock stops while it sleeps. */
function machine() {
  const at = { monotonicMs: 5_000, uptimeMs: 3_600_000 };
  let sleptMs = 0;
  const ownMs = createOwnTime({ monotonicMs: () => at.monotonicMs, uptimeMs: () => at.uptimeMs });
  const pass = (ms: number): void => {
    at.monotonicMs += ms;
    // As coarse as the system reports it.
    at.uptimeMs = 3_595_000 + Math.floor((at.monotonicMs + sleptMs) / 10) * 10;
  };
  return {
    ownMs,
    pass,
    sleep(ms: number): void {
      sleptMs += ms;
      pass(0);
    },
  };
}
describe("a process's own time", () => {
  test('is the monotonic clock, finer than the uptime', () => {
    const { ownMs, pass } = machine();
    const begunMs = ownMs();
    pass(1_234.5);

    expect(ownMs() - begunMs).toBe(1_234.5);
  });

  test('advances while the machine sleeps', () => {
    const own = machine();
    const begunMs = own.ownMs();
    own.pass(1_000);
    own.sleep(3_600_000);
    own.pass(500);

    expect(own.ownMs() - begunMs).toBeGreaterThanOrEqual(3_601_480);
    expect(own.ownMs() - begunMs).toBeLessThanOrEqual(3_601_500);
  });

  test.each(['monotonicMs', 'uptimeMs'] as const)('ignores a stall right after it read %s', (clock) => {
    const at = { stallMs: 0, ms: 5_000 };
    const read = (which: typeof clock) => () => {
      const { ms } = at;
      if (which === clock) [at.ms, at.stallMs] = [ms + at.stallMs, 0];
      return ms;
    };
    for (const isAtStart of [true, false]) {
      at.stallMs = isAtStart ? 2_000 : 0;
      const ownMs = createOwnTime({ monotonicMs: read('monotonicMs'), uptimeMs: read('uptimeMs') });
      at.stallMs = isAtStart ? 0 : 2_000;
      ownMs();

      expect(ownMs()).toBe(at.ms);
    }
  });

  test('never goes back', () => {
    const own = machine();
    const seen: number[] = [];
    for (let nth = 0; nth < 50; nth += 1) {
      own.pass(7);
      if (nth % 10 === 0) own.sleep(1_500);
      seen.push(own.ownMs());
    }

    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });
});

describe("the machine's uptime", () => {
  const hourMs = 3_600_000;
  const told = (uptimeMs: number, sinceBootMs: number) =>
    machineUptime({ uptimeMs: () => uptimeMs, sinceBootMs: () => sinceBootMs })();

  test('is as the system reports it', () => {
    expect(told(5 * hourMs, 5 * hourMs + 10)).toBe(5 * hourMs);
    // The machine has slept for an hour.
    expect(told(5 * hourMs, 4 * hourMs)).toBe(5 * hourMs);
  });

  test("is the machine's own in a container that reports a different one", () => {
    expect(told(65_000, 5 * hourMs)).toBe(5 * hourMs);
  });

  test('is as the system reports it, although this process stalled while it asked', () => {
    let [stallMs, passedMs] = [3_000, 0];
    const uptimeMs = machineUptime({
      uptimeMs: () => {
        const ms = 5 * hourMs + passedMs;
        [passedMs, stallMs] = [passedMs + stallMs, 0];
        return ms;
      },
      sinceBootMs: () => 5 * hourMs + passedMs,
    });

    expect(uptimeMs()).toBe(5 * hourMs + 3_000);
  });

  test('is the same for a program that a shell became after a while', async () => {
    const program = `import { uptime } from 'node:os';
      import { machineUptime } from '${import.meta.resolve('../../../api/src/redis/own-time.ts')}';
      console.log(Math.abs(machineUptime()() - uptime() * 1_000) < 1_000);`;
    const child = spawn('sh', [
      '-c',
      'read go; exec "$0" --input-type=module --eval "$1"',
      process.execPath,
      program,
    ]);
    const startedS = uptime();
    await expect.poll(() => uptime() - startedS).toBeGreaterThan(2.5);
    child.stdin.end('go\n');

    expect(await text(child.stdout)).toBe('true\n');
  });

  test('is that of this machine', () => {
    const before = uptime() * 1_000;
    const told = machineUptime()();
    const after = uptime() * 1_000;

    // Both clocks count in hundredths of a second.
    expect(told).toBeGreaterThanOrEqual(before - 20);
    expect(told).toBeLessThanOrEqual(after + 20);
  });
});
