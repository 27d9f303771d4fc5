import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { type Caller, isUnanswered } from '../server/call.ts';
import { bodyOf, listOf } from '../server/shapes.ts';
import type { Device } from './device.ts';
import type { Exchange } from './exchanges.ts';

interface EarlierOptions {
  caller: Caller;
  device: ReadonlySignal<Device>;
  exchanges: Signal<readonly Exchange[]>;
  /** Finds out what can be taken back; its button appears together with the words. */
  undoable: () => Promise<void>;
}

type Conversation = components['schemas']['Conversation'];

/** More are in the turns' view. */
const maxEarlier = 20;

/** Loads the earlier turns of this device's conversation from the server. */
export function createEarlier({ caller, device, exchanges, undoable }: EarlierOptions) {
  /** Whether there are any is known, or cannot be found out. */
  const isKnown = signal(false);
  let asking: AbortController | undefined;

  const recall = async (): Promise<void> => {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    let told: readonly Conversation['exchanges'][number][] = [];
    try {
      const path = `/admin/conversations/${encodeURIComponent(device.value.name)}`;
      const [{ body }] = await Promise.all([caller.call(path, { signal: own.signal }), undoable()]);
      told = listOf(bodyOf<Conversation>(body).exchanges);
    } catch (error) {
      // Nothing is remembered, or the token may only talk.
      if (own.signal.aborted || isUnanswered(error)) return;
    }
    batch(() => {
      exchanges.value = [...told.slice(-maxEarlier).map(earlier), ...exchanges.value];
      isKnown.value = true;
    });
  };
  return {
    isKnown,
    /** Once: what the page itself has seen is not told again. */
    async recall(): Promise<void> {
      if (!isKnown.value) await recall();
    },
    /** The device belongs to another conversation now. */
    async change(): Promise<void> {
      [exchanges.value, isKnown.value] = [[], false];
      await recall();
    },
    /** Another person may come. */
    forget(): void {
      asking?.abort();
      [exchanges.value, isKnown.value] = [[], false];
    },
  };
}

function earlier({ turn, at, user, assistant }: Conversation['exchanges'][number], index: number): Exchange {
  return {
    id: turn ?? `${at}-${index}`,
    turn,
    kind: 'earlier',
    question: user,
    isPartial: false,
    reply: assistant,
    state: 'done',
    via: null,
    note: null,
    timings: null,
    atMs: Date.parse(at ?? ''),
  };
}
