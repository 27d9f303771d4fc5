import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import { redisSteps } from '../../../api/src/check/redis-steps.ts';
import type { ProcessBeat } from '../../../api/src/status/process-registry.ts';

const now = Date.parse('2026-11-21T18:00:00Z');

/** The check of the clock when Redis shows this time and processes report how far theirs is ahead. */
async function clockOf(
  ...processes: Pick<ProcessBeat, 'process' | 'instance' | 'machine' | 'clockAheadMs'>[]
) {
  return clockWith({ redisAheadMs: 0, processes });
}

async function clockWith({
  redisAheadMs,
  processes,
}: {
  redisAheadMs: number;
  processes: Pick<ProcessBeat, 'process' | 'instance' | 'machine' | 'clockAheadMs'>[];
}) {
  const redis = new Redis({ lazyConnect: true });
  vi.spyOn(redis, 'status', 'get').mockReturnValue('ready');
  vi.spyOn(redis, 'time').mockResolvedValue([(now + redisAheadMs) / 1_000, 0]);
  const conversations = async () => ({
    usedBytes: 0,
    maxBytes: 1e6,
    givenUp: { turns: 0, conversations: 0 },
  });
  const steps = redisSteps({
    redis,
    timeZone: 'UTC',
    processes: () => processes,
    conversations,
    now: () => now,
  });
  return steps.find(({ name }) => name === 'clock')?.look(new AbortController().signal);
}

const api = { process: 'api', instance: 'aa11', machine: 'nas', clockAheadMs: 3 } as const;
const worker = { process: 'worker', instance: 'bb22', machine: 'attic', clockAheadMs: 0 } as const;

describe('the check of the clock', () => {
  test('passes if all processes agree', async () => {
    expect(await clockOf(api, worker)).toEqual({ state: 'ok', message: 'It is 18:00 in UTC.' });
  });

  test.each([
    [90_000, '90 seconds ahead of'],
    [-90_000, '90 seconds behind'],
    [3_600_000, '60 minutes ahead of'],
    [-3 * 86_400_000, '3 days behind'],
  ])('names the process whose clock is %d ms ahead', async (clockAheadMs, apart) => {
    expect(await clockOf(api, { ...worker, clockAheadMs })).toMatchObject({
      state: 'failed',
      message: `The clock of the worker bb22 on the machine attic is ${apart} the clock of Redis.`,
    });
  });

  test('counts the other processes', async () => {
    const off = { ...worker, clockAheadMs: -60_000 };

    expect(await clockOf(off, off, off)).toMatchObject({
      message:
        'The clock of the worker bb22 on the machine attic is 60 seconds behind the clock of Redis. 2 more processes have a wrong clock too.',
    });
  });

  test('trusts a process that reports no time, as earlier versions do', async () => {
    expect(await clockOf({ process: 'worker', instance: 'cc33' })).toMatchObject({ state: 'ok' });
  });

  test('reports this server if no other process reports', async () => {
    expect(await clockWith({ redisAheadMs: 90_000, processes: [] })).toMatchObject({
      state: 'failed',
      message: 'The clock of this server is 90 seconds behind the clock of Redis.',
    });
  });
});
