import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { redisSteps } from '../../../api/src/check/redis-steps.ts';

/** The check's verdict on the file of a Redis with this note. */
async function persistenceOf(note: string | null) {
  const info = 'aof_enabled:1\r\naof_last_write_status:ok\r\naof_last_bgrewrite_status:ok\r\n';
  const redis: Pick<Redis, 'status' | 'info' | 'get'> = {
    status: 'ready',
    info: async () => info,
    get: async () => note,
  };
  const steps = redisSteps({
    redis: Object.assign(Object.create(null), redis),
    timeZone: 'Europe/Berlin',
    processes: () => [],
    conversations: async () => ({ usedBytes: 0, maxBytes: 1e6, givenUp: { turns: 0, conversations: 0 } }),
  });
  const step = steps.find(({ name }) => name === 'persistence');
  return step?.look(new AbortController().signal);
}

test('the check reports a repaired file, with the loss and the place of the damaged file', async () => {
  const note = { at: Date.UTC(2026, 10, 22, 20, 0), lostBytes: 12_200, kept: 'damaged-2026-11-22T20-00-00Z' };

  expect(await persistenceOf(JSON.stringify(note))).toEqual({
    state: 'warning',
    message:
      'The file of Redis was damaged. It was repaired on 22 November 2026 at 21:00, and what was in its last 12200 bytes is lost.',
    advice:
      'If something is missing, "make restore" brings back a backup. The damaged file is kept as "damaged-2026-11-22T20-00-00Z".',
  });
});

test.each([null, '', 'junk', '{"at":"yesterday"}'])(
  'the check passes a file that was never repaired (%s)',
  async (note) => {
    expect(await persistenceOf(note)).toMatchObject({ state: 'ok' });
  },
);
