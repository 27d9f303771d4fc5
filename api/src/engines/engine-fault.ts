import { AppError } from '../errors.ts';
import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import { EngineError } from './engine-client.ts';

const names: Readonly<Record<EngineName, string>> = {
  llm: 'The language model',
  stt: 'The speech recognition',
  tts: 'The voice',
};

/**
 * The message about a failed engine for the user, with the engine's state if it is not ready. The engine's
 * own text stays in the log. Other errors pass through unchanged.
 */
export function engineFault(engine: EngineName, thrown: unknown, status: EngineStatus | undefined): unknown {
  if (!(thrown instanceof EngineError)) return thrown;
  const known = status === undefined || status.state === 'ready' ? undefined : (status.reason ?? undefined);
  const cause = { cause: thrown };
  switch (thrown.failure) {
    case 'timeout':
    case 'hung':
      return new AppError(`${engine}_timeout`, undefined, cause);
    case 'silent':
    case 'unreachable':
    case 'downloading':
    case 'loading':
      return new AppError(`${engine}_unavailable`, known, cause);
    case 'busy':
      return new AppError('overloaded', `${names[engine]} is too busy.`, cause);
    case 'refused':
    case 'broken':
      return new AppError(`${engine}_bad_answer`, known, cause);
  }
}
