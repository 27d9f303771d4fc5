import { HomeError, isShutOut, shutOutMs } from './home-fault.ts';

export type HomeShutOut = ReturnType<typeof createHomeShutOut>;

/**
 * Remembers that Home Assistant takes neither the token nor the address, for all connections of one client.
 * Each further request is one more failed login there, so one try is let through in five minutes.
 */
export function createHomeShutOut({ now = () => performance.now() }: { now?: () => number } = {}) {
  let shut: { error: HomeError; tryAtMs: number } | null = null;
  let over = Promise.withResolvers<void>();

  const throwIfShut = (): void => {
    if (shut !== null) throw new HomeError(shut.error.trouble, shut.error);
  };

  return {
    /** Throws the HomeError of the last refusal. */
    throwIfShut,
    /** The same, except for the one try that is due. */
    throwUnlessDue(): void {
      if (shut !== null && now() >= shut.tryAtMs) shut.tryAtMs = now() + shutOutMs;
      else throwIfShut();
    },
    /** Takes how a request ended. An answer or any other failure lets the next request through. */
    learn(error?: HomeError): void {
      if (error && isShutOut(error.trouble)) {
        shut = { error, tryAtMs: now() + shutOutMs };
        return;
      }
      shut = null;
      over.resolve();
      over = Promise.withResolvers();
    },
    /** Resolves when requests are let through. */
    over: (): Promise<void> => (shut === null ? Promise.resolve() : over.promise),
  };
}
