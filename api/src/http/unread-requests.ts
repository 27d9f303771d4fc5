import { setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Standstill } from '../status/awake.ts';

/** Within this after a standstill all that waited unread is read. */
const readMs = 1_000;
/** As long as anything may wait to begin. Whoever has waited longer may not reckon with it any more. */
const maxWaitMs = 30_000;

/**
 * Looks at a request that wants something done and may have waited in the system while this process stood
 * still. It throws if it waited too long, or if its caller has hung up since.
 */
export async function admitUnread(
  { raw }: Pick<FastifyRequest, 'raw'>,
  standstill: () => Standstill,
): Promise<void> {
  const { ms, endedAt } = standstill();
  if (ms === 0 || performance.now() - endedAt > readMs) return;
  if (ms > maxWaitMs) {
    const words = `The server stood still for ${Math.round(ms / 1_000)} s, so this may have come too late and was not done. Try again.`;
    throw new AppError('queue_timeout', words);
  }
  // The end of a connection is read after what was sent before it.
  await nextRound();
  await nextRound();
  if (raw.socket.destroyed || raw.socket.readableEnded) throw new AppError('turn_cancelled');
}
