import { EngineError } from './engine-client.ts';

/**
 * How a call to Home Assistant failed.
 * `refused`: it rejects the token. `banned`: it refuses this address with any token. `unreachable`: nothing
 * was sent. `lost`: the connection broke during the call. `slow`: it may still act. `late`: the same for a
 * call that changes nothing. `missing`: another program answers at its address.
 */
export type HomeFailure =
  | 'unreachable'
  | 'lost'
  | 'slow'
  | 'late'
  | 'starting'
  | 'refused'
  | 'banned'
  | 'missing'
  | 'broken';

/** A failed call to Home Assistant. The cause holds its own words, for the log. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  readonly failure: HomeFailure;

  constructor(failure: HomeFailure, cause?: unknown) {
    super(`home: ${failure}`, { cause });
    this.failure = failure;
  }
}

/** Converts an EngineError to a HomeError; other errors pass through unchanged. */
export function homeFault(thrown: unknown): unknown {
  if (!(thrown instanceof EngineError)) return thrown;
  return new HomeError(failureOf(thrown), thrown);
}

/** The result of some work, or what `recover` makes of a failed call. Other errors pass through. */
export async function recovering<T, F>(
  work: () => Promise<T>,
  recover: (fault: HomeError) => F,
): Promise<T | F> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HomeError)) throw error;
    return recover(error);
  }
}

/**
 * Pause between attempts after a refusal. Only new settings can help. Each further request counts as a failed
 * login, and Home Assistant may ban the address.
 */
export const shutOutMs = 5 * 60_000;
export const isShutOut = (failure: HomeFailure | null): boolean =>
  failure === 'refused' || failure === 'banned';

/** The same failure for a call that changes nothing, so that no doubt about its effect remains. */
export function harmless(failure: HomeFailure): HomeFailure {
  return failure === 'slow' ? 'late' : failure === 'lost' ? 'unreachable' : failure;
}

function failureOf({ failure, status, cause }: EngineError): HomeFailure {
  if (status === 401) return 'refused';
  if (status === 403) return 'banned';
  if (status === 404) return 'missing';
  if (failure === 'unreachable') return wasNeverSent(cause) ? 'unreachable' : 'lost';
  if (failure === 'timeout') return 'slow';
  return failure === 'loading' || failure === 'busy' ? 'starting' : 'broken';
}

/** Whether the connection failed before anything was sent. */
function wasNeverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ('syscall' in cause) return cause.syscall === 'connect' || cause.syscall === 'getaddrinfo';
  return 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
}
