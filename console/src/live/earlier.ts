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
  /** Loads the turn that can be undone, so that its button appears together with the words. */
  undoable: () => Promise<void>;
}

type Conversation = components['schemas']['Conversation'];

/** The activity view has more. */
const maxEarlier = 20;

/** Loads the earlier turns of this device's conversation from the server. */
export function createEarlier({ caller, device, exchanges, undoable }: EarlierOptions) {
  /** Loading is over, with or without a result. */
  const isKnown = signal(false);
  let asking: AbortController | undefined;

  const recall = async (): Promise<void> => {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    let lastExchanges: readonly Conversation['exchanges'][number][] = [];
    try {
      const path = `/admin/conversations/${encodeURIComponent(device.value.name)}`;
      const [{ body }] = await Promise.all([caller.call(path, { signal: own.signal }), undoable()]);
      lastExchanges = listOf(bodyOf<Conversation>(body).exchanges);
    } catch (error) {
      // History is off, or the token lacks the scope to read it.
      if (own.signal.aborted || isUnanswered(error)) return;
    }
    batch(() => {
      exchanges.value = [...lastExchanges.slice(-maxEarlier).map(earlier), ...exchanges.value];
      isKnown.value = true;
    });
  };
  return {
    isKnown,
    /** Load only once: the page itself knows all later turns. */
    async recall(): Promise<void> {
      if (!isKnown.value) await recall();
    },
    /** The device has joined another conversation. */
    async change(): Promise<void> {
      [exchanges.value, isKnown.value] = [[], false];
      await recall();
    },
    /** Clear them, because another person may use the device. */
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
