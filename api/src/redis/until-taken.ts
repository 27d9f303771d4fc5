import { toAppError } from '../errors.ts';
import { isRedisFailure } from './redis.ts';

const againMs = 1_000;

/**
 * Gives something back. While Redis is away or takes nothing new it tries again, until this much time has passed: then what was to be given back
 * ends by itself. Nobody waits for it, and nobody is told.
 */
export async function untilTaken(giveBack: () => Promise<unknown>, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    try {
      await giveBack();
      return;
    } catch (error) {
      if (!isRedisFailure(toAppError(error).code) || performance.now() > endsAt) return;
    }
    await new Promise<void>((resolve) => void setTimeout(resolve, againMs).unref());
  }
}
