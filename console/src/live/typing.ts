import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { announcedWords } from '../parts/words.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { bodyOf, readAnswer } from '../server/shapes.ts';
import type { Device } from './device.ts';
import type { Exchange } from './exchanges.ts';

interface TypingOptions {
  caller: Caller;
  device: ReadonlySignal<Device>;
  exchanges: Signal<readonly Exchange[]>;
}

type Announcement = components['schemas']['Announcement'];

const quietHours =
  'These are the quiet hours, so nobody was told. Type “Tell everybody that …”, and Hearth asks you.';
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

  const begin = (text: string): { id: string; own: AbortController } => {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
    exchanges.value = [...exchanges.value, typed(id, text)];
    return { id, own };
  };

  return {
    isWaiting,
    stop: () => asking?.abort(),
    /** Says these words in the other rooms. */
    async announce(text: string): Promise<void> {
      const { id, own } = begin(text);
      const { name: client, room } = device.value;
      try {
        const { body } = await caller.call('/announcements', {
          body: { text, client, room },
          signal: own.signal,
        });
        change(id, { state: 'done', reply: announcedWords(bodyOf<Announcement>(body)) });
      } catch (error) {
        const isQuiet = error instanceof CallError && error.code === 'quiet_hours';
        change(id, { state: 'failed', note: isQuiet ? quietHours : sentenceOf(error) });
      }
    },
    async ask(text: string): Promise<void> {
      const { id, own } = begin(text);
      const begunAtMs = performance.now();
      const { name: client, room } = device.value;
      try {
        const { body, headers } = await caller.call('/ask', {
          body: { text, client, room },
          signal: own.signal,
          withinMs,
        });
        const { reply, via } = readAnswer(body);
        change(id, {
          state: 'done',
          turn: headers.get('x-request-id'),
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
    turn: null,
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
