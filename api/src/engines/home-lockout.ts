import { HomeError, isShutOut, shutOutMs } from './home-fault.ts';

export type HomeLockout = ReturnType<typeof createHomeLockout>;

/**
 * Remembers for all connections of a client that Home Assistant refuses the token or the address. Each
 * further request counts as a failed login there, so only one attempt in five minutes passes.
 */
export function createHomeLockout({ now = () => performance.now() }: { now?: () => number } = {}) {
  let shut: { error: HomeError; tryAtMs: number } | null = null;
  let over = Promise.withResolvers<void>();

  const throwIfShut = (): void => {
    if (shut !== null) throw new HomeError(shut.error.failure, shut.error);
  };

  return {
    /** Throws the HomeError of the last refusal. */
    throwIfShut,
    /** Throws it too, unless the next attempt is due. Returns whether this request is the attempt. */
    throwUnlessDue(): boolean {
      const isDue = shut !== null && now() >= shut.tryAtMs;
      if (shut !== null && isDue) shut.tryAtMs = now() + shutOutMs;
      else throwIfShut();
      return isDue;
    },
    /** Records the result of a request. An answer or any other failure lets the next request pass. */
    learn(error?: HomeError): void {
      if (error && isShutOut(error.failure)) {
        shut = { error, tryAtMs: now() + shutOutMs };
        return;
      }
      shut = null;
      over.resolve();
      over = Promise.withResolvers();
    },
    /** Resolves when requests may pass. */
    over: (): Promise<void> => (shut === null ? Promise.resolve() : over.promise),
  };
}
