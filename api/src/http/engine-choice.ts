import type { Choice } from '../settings/possible.ts';
import type { EngineStatus } from '../status/engine-status.ts';

/** The options of an engine. `off`: the reason it is off, if it is. */
export function choiceOf(status: EngineStatus | undefined, off?: string): Choice {
  if (off !== undefined) return { unknown: off };
  if (status?.state === 'ready') return { names: status.options ?? [] };
  return { unknown: status?.reason ?? 'No worker has reported yet.' };
}
