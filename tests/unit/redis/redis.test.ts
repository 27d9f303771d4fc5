import { expect, test } from 'vitest';
import { isRedisFailure, refusalOf } from '../../../api/src/redis/redis.ts';

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'redis_full'],
  [
    "OOM command not allowed when used memory > 'maxmemory'. script: db8a2dc3, on @user_script:1.",
    'redis_full',
  ],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'redis_disk_full'],
  ['MISCONF Errors writing to the AOF file: Disk quota exceeded', 'redis_disk_full'],
  ['MISCONF Errors writing to the AOF file: Read-only file system', 'redis_disk_failed'],
  [
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
    'redis_disk_failed',
  ],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', null],
  ['Command timed out', null],
])('the Redis reply "%s" is classified: %s', (message, refusal) => {
  expect(refusalOf(new Error(message))).toBe(refusal);
});

test('a command that Redis failed can be retried', () => {
  expect(
    (['redis_unavailable', 'redis_full', 'redis_disk_full', 'redis_disk_failed'] as const).map(
      isRedisFailure,
    ),
  ).toEqual(Array(4).fill(true));
  expect(isRedisFailure('worker_unavailable')).toBe(false);
});
