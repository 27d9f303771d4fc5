import { EngineError } from './engine-client.ts';

/**
 * How Home Assistant failed. `refused`: it does not take the token. `banned`: it refuses this address
 * whatever the token is.
 * `unreachable`: nothing was sent. `lost`: the connection broke while it was asked. `slow`: it may still do it. `late`: so
 * too, of what does nothing. `missing`: something answers at its address that is not it.
 */
export type HomeTrouble =
  | 'unreachable'
  | 'lost'
  | 'slow'
  | 'late'
  | 'starting'
  | 'refused'
  | 'banned'
  | 'missing'
  | 'broken';

/** A failed call to Home Assistant. What it said itself is in the cause, for the log. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  readonly trouble: HomeTrouble;

  constructor(trouble: HomeTrouble, cause?: unknown) {
    super(`home: ${trouble}`, { cause });
    this.trouble = trouble;
  }
}

/** A failed call as what it means; whatever else was thrown stays what it is. */
export function homeFault(thrown: unknown): unknown {
  if (!(thrown instanceof EngineError)) return thrown;
  return new HomeError(troubleOf(thrown), thrown);
}

/**
 * Until the settings change these stay, and each further request is one more failed login: Home Assistant may
 * ban the address for them.
 */
export const shutOutMs = 5 * 60_000;
export const isShutOut = (trouble: HomeTrouble | null): boolean =>
  trouble === 'refused' || trouble === 'banned';

/** The same trouble with what can do nothing: nobody needs to wonder whether it has happened. */
export function harmless(trouble: HomeTrouble): HomeTrouble {
  return trouble === 'slow' ? 'late' : trouble === 'lost' ? 'unreachable' : trouble;
}

function troubleOf({ failure, status, cause }: EngineError): HomeTrouble {
  if (status === 401) return 'refused';
  if (status === 403) return 'banned';
  if (status === 404) return 'missing';
  if (failure === 'unreachable') return wasNeverSent(cause) ? 'unreachable' : 'lost';
  if (failure === 'timeout') return 'slow';
  return failure === 'loading' || failure === 'busy' ? 'starting' : 'broken';
}

/** Whether the connection failed before anything could be asked. */
function wasNeverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ('syscall' in cause) return cause.syscall === 'connect' || cause.syscall === 'getaddrinfo';
  return 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT';
}
