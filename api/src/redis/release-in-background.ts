import { toAppError } from '../errors.ts';
import { isRedisFailure } from './redis.ts';

const retryDelayMs = 1_000;

/**
 * Releases a resource in the background. Retries while Redis is unavailable or rejects writes, up to
 * `withinMs`, when the resource expires anyway. Errors are ignored.
 */
export async function releaseInBackground(giveBack: () => Promise<unknown>, withinMs: number): Promise<void> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    try {
      await giveBack();
      return;
    } catch (error) {
      if (!isRedisFailure(toAppError(error).code) || performance.now() > endsAt) return;
    }
    await new Promise<void>((resolve) => void setTimeout(resolve, retryDelayMs).unref());
  }
}
