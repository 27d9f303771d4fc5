import type { Choice } from '../settings/possible.ts';
import type { EngineStatus } from '../status/engine-status.ts';

/** What an engine offers to choose from. `off`: why it is off, where it is. */
export function choiceOf(status: EngineStatus | undefined, off?: string): Choice {
  if (off !== undefined) return { unknown: off };
  if (status?.state === 'ready') return { names: status.options ?? [] };
  return { unknown: status?.reason ?? 'No worker has reported yet.' };
}
