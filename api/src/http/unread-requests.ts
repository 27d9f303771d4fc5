import { setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Suspension } from '../status/awake.ts';

/** Time after a suspension within which all waiting requests are read. */
const readMs = 1_000;
/** Maximum age of a request that may still start. Its caller no longer expects it after that. */
const maxWaitMs = 30_000;

/**
 * Checks a request that changes something and may have waited while this process was suspended. Throws if it
 * waited too long or if its caller has hung up.
 */
export async function admitUnread(
  { raw }: Pick<FastifyRequest, 'raw'>,
  suspension: () => Suspension,
): Promise<void> {
  const { ms, endedAt } = suspension();
  if (ms === 0 || performance.now() - endedAt > readMs) return;
  if (ms > maxWaitMs) {
    const words = `The server was suspended for ${Math.round(ms / 1_000)} s, so this request may be out of date and was not run. Try again.`;
    throw new AppError('queue_timeout', words);
  }
  // The end of a connection is read after the data sent before it.
  await nextRound();
  await nextRound();
  if (raw.socket.destroyed || raw.socket.readableEnded) throw new AppError('turn_cancelled');
}
