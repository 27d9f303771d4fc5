import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { type Caller, sentenceOf } from '../server/call.ts';
import { readAnswer } from '../server/shapes.ts';
import type { Device } from './device.ts';
import type { Exchange } from './exchanges.ts';

interface TypingOptions {
  caller: Caller;
  device: ReadonlySignal<Device>;
  exchanges: Signal<readonly Exchange[]>;
}

/** A little longer than a turn may take on the server, so that the server's own sentence arrives. */
const withinMs = 70_000;

/** Typed questions. They belong to the same conversation as those spoken here. */
export function createTyping({ caller, device, exchanges }: TypingOptions) {
  let asking: AbortController | undefined;
  const isWaiting = computed(() =>
    exchanges.value.some(({ kind, state }) => kind === 'typed' && state === 'thinking'),
  );
  const change = (id: string, changes: Partial<Exchange>): void => {
    exchanges.value = exchanges.value.map((each) => (each.id === id ? { ...each, ...changes } : each));
  };

  return {
    isWaiting,
    stop: () => asking?.abort(),
    async ask(text: string): Promise<void> {
      asking?.abort();
      const own = new AbortController();
      asking = own;
      const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
      exchanges.value = [...exchanges.value, typed(id, text)];
      const begunAtMs = performance.now();
      const { name: client, room } = device.value;
      try {
        const { body } = await caller.call('/ask', {
          body: { text, client, room },
          signal: own.signal,
          withinMs,
        });
        const { reply, via } = readAnswer(body);
        change(id, {
          state: 'done',
          reply,
          via,
          timings: { total_ms: Math.round(performance.now() - begunAtMs) },
        });
      } catch (error) {
        if (own.signal.aborted) change(id, { state: 'cancelled', note: 'Stopped.' });
        else change(id, { state: 'failed', note: sentenceOf(error) });
      }
    },
  };
}

function typed(id: string, text: string): Exchange {
  return {
    id,
    kind: 'typed',
    question: text,
    isPartial: false,
    reply: '',
    state: 'thinking',
    via: null,
    note: null,
    timings: null,
    atMs: Date.now(),
  };
}
