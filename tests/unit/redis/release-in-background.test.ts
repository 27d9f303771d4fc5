import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError, type ErrorCode } from '../../../api/src/errors.ts';
import { releaseInBackground } from '../../../api/src/redis/release-in-background.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A release that is refused this many times, and its number of tries. */
function refused(times: number, code: ErrorCode) {
  const giveBack = vi.fn(async () => {
    if (giveBack.mock.calls.length <= times) throw new AppError(code);
  });
  return giveBack;
}

test.each([
  ['is given back at once', { times: 0, code: 'redis_full', tries: 1 }],
  ['is given back when Redis has room again', { times: 3, code: 'redis_full', tries: 4 }],
  [
    'is given back when the disk of Redis can be written again',
    { times: 3, code: 'redis_disk_full', tries: 4 },
  ],
  ['is given back when Redis is there again', { times: 3, code: 'redis_unavailable', tries: 4 }],
  ['is left when it has ended by itself', { times: 100, code: 'redis_full', tries: 6 }],
  ['is left when it failed for another reason', { times: 100, code: 'internal', tries: 1 }],
] as const)('a stored value %s', async (_what, { times, code, tries }) => {
  const giveBack = refused(times, code);

  const over = releaseInBackground(giveBack, 4_500);
  await vi.advanceTimersByTimeAsync(20_000);
  await over;

  expect(giveBack).toHaveBeenCalledTimes(tries);
});
