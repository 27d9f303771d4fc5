import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { Caller } from '../server/call.ts';
import { bodyOf, listOf } from '../server/shapes.ts';
import type { Device } from './device.ts';
import { type Exchange, isOver } from './exchanges.ts';

interface UndoableOptions {
  caller: Caller;
  device: ReadonlySignal<Device>;
  exchanges: Signal<readonly Exchange[]>;
}

/** The turn that "undo that" would undo here. Reloads it after each answer. */
export function createUndoable({ caller, device, exchanges }: UndoableOptions) {
  const turn = signal<string | null>(null);
  let seen = '';
  let asking: AbortController | undefined;

  const look = async (): Promise<void> => {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    const path = `/undoable?client=${encodeURIComponent(device.value.name)}`;
    const answer = await caller.call(path, { signal: own.signal }).catch(() => null);
    if (own.signal.aborted) return;
    turn.value = bodyOf<components['schemas']['Undoable']>(answer?.body).turn ?? null;
  };
  effect(() => {
    const last = exchanges.value.at(-1);
    if (last === undefined || last.kind === 'earlier' || !isOver(last) || seen === last.id) return;
    seen = last.id;
    void look();
  });
  return {
    turn,
    look,
    /** "Undo that" in the household's first language. */
    async words(): Promise<string> {
      const answer = await caller.call('/sentences').catch(() => null);
      const groups = listOf(bodyOf<components['schemas']['Sentences']>(answer?.body).groups);
      return groups.find(({ skill }) => skill === 'undo')?.sentences[0] ?? 'Undo that';
    },
  };
}
