import { computed, signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import type { Poll } from '../server/poll.ts';
import { listOf } from '../server/shapes.ts';

export type Timer = components['schemas']['Timer'];

interface RingingOptions {
  caller: Caller;
  timers: Poll<{ timers?: Timer[] }>;
}

/** The state of a stop request: pending, or failed with a reason. */
type Stopping = { isAsked: true } | { isAsked: false; why: string };

/**
 * The ringing timers of the whole house. A timer counts as stopped when the server says so, not on the press.
 */
export function createRinging({ caller, timers }: RingingOptions) {
  const stopping = signal<ReadonlyMap<string, Stopping>>(new Map());
  const note = (id: string, now: Stopping | null): void => {
    const others = [...stopping.value].filter(([each]) => each !== id);
    stopping.value = new Map(now === null ? others : [...others, [id, now]]);
  };
  return {
    rings: computed(() =>
      listOf(timers.state.value.value?.timers).filter(({ state }) => state === 'ringing'),
    ),
    stopping,
    async stop(id: string): Promise<void> {
      note(id, { isAsked: true });
      try {
        await caller.call(`/admin/timers/${encodeURIComponent(id)}`, { method: 'DELETE' });
      } catch (error) {
        const isOver = error instanceof CallError && error.status === 404;
        if (!isOver) return note(id, { isAsked: false, why: sentenceOf(error) });
      }
      await timers.ask();
      note(id, null);
    },
  };
}
