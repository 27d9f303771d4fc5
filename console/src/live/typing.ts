import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { pageLanguage, t } from '../language/translate.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { readResponse } from '../server/shapes.ts';
import { type AnnouncementRequest, announceWords, isForQuietHours, whyNotAnnounced } from './announcing.ts';
import type { Device } from './device.ts';
import type { Exchange } from './exchanges.ts';

interface TypingOptions {
  caller: Caller;
  device: ReadonlySignal<Device>;
  /** Undefined: the household's first language. */
  language: ReadonlySignal<string | undefined>;
  exchanges: Signal<readonly Exchange[]>;
  /** Plays a whole file; returns a function that stops it. */
  play: (file: ArrayBuffer, onEnd: () => void) => Promise<() => void>;
}

interface AskOptions {
  /** Speaks the answer even if this device does not speak answers to typed questions. */
  isSpoken?: boolean;
  /**
   * The sentence is the page's own, in its language. Returns other words for a household that does not speak
   * this language.
   */
  otherwise?: () => string | Promise<string>;
}

interface SayOptions {
  language: string | undefined;
  signal: AbortSignal;
}

/** A little longer than a turn may take on the server, so that the server's own sentence arrives. */
const withinMs = 70_000;

/** Typed questions. They belong to the same conversation as those spoken here. */
export function createTyping({ caller, device, language, exchanges, play }: TypingOptions) {
  let asking: AbortController | undefined;
  const speaking = createSpeaking(caller, play);
  const isWaiting = computed(() =>
    exchanges.value.some(({ kind, state }) => kind === 'typed' && state === 'thinking'),
  );
  const change = (id: string, changes: Partial<Exchange>): void => {
    exchanges.value = exchanges.value.map((each) => (each.id === id ? { ...each, ...changes } : each));
  };

  const stop = (): void => {
    asking?.abort();
    speaking.stop();
  };
  const beginCall = (): AbortController => {
    stop();
    asking = new AbortController();
    return asking;
  };
  const begin = (text: string): { id: string; own: AbortController } => {
    const own = beginCall();
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
    exchanges.value = [...exchanges.value, typed(id, text)];
    return { id, own };
  };

  const announce = async (
    id: string,
    words: Pick<AnnouncementRequest, 'text' | 'in_quiet_hours'>,
    given: AbortSignal,
  ): Promise<void> => {
    const { name: client, room } = device.value;
    try {
      const reply = await announceWords(caller, { ...words, client, room }, given);
      change(id, { state: 'done', reply });
    } catch (error) {
      change(id, {
        state: 'failed',
        note: whyNotAnnounced(error),
        isForQuietHours: isForQuietHours(error),
      });
    }
  };

  const speak = async (id: string, reply: string, how: SayOptions): Promise<void> => {
    try {
      await speaking.say(reply, how);
    } catch {
      if (!how.signal.aborted) change(id, { note: t('Hearth could not speak the answer.') });
    }
  };

  return {
    isWaiting,
    isSpeaking: speaking.isSpeaking,
    stop,
    /** Announces these words in the other rooms. */
    async announce(text: string): Promise<void> {
      const { id, own } = begin(text);
      await announce(id, { text }, own.signal);
    },
    /** Announces words that the quiet hours prevented. */
    async announceAnyway({ id, question: text }: Pick<Exchange, 'id' | 'question'>): Promise<void> {
      const own = beginCall();
      change(id, { state: 'thinking', note: null, isForQuietHours: false });
      await announce(id, { text, in_quiet_hours: true }, own.signal);
    },
    async ask(text: string, { isSpoken = false, otherwise }: AskOptions = {}): Promise<void> {
      const { id, own } = begin(text);
      const begunAtMs = performance.now();
      let used = otherwise === undefined ? language.value : pageLanguage();
      const send = async (words: string) => {
        const { name: client, room } = device.value;
        const body = { text: words, client, room, language: used };
        return await caller.call('/ask', { body, signal: own.signal, withinMs });
      };
      /** The sentence again, in words of the household. */
      const sendAgain = async (error: unknown) => {
        if (otherwise === undefined || !isForLanguage(error)) throw error;
        const question = await otherwise();
        change(id, { question });
        used = language.value;
        return await send(question);
      };
      try {
        const { body, headers } = await send(text).catch(sendAgain);
        const { reply, via } = readResponse(body);
        change(id, {
          state: 'done',
          turn: headers.get('x-request-id'),
          reply,
          via,
          timings: { total_ms: Math.round(performance.now() - begunAtMs) },
        });
        if (isSpoken || device.value.speaksTyped)
          await speak(id, reply, { language: used, signal: own.signal });
      } catch (error) {
        if (own.signal.aborted) change(id, { state: 'cancelled', note: t('Stopped.') });
        else change(id, { state: 'failed', note: sentenceOf(error) });
      }
    },
  };
}

/** Whether the household does not speak the language of the question. */
function isForLanguage(error: unknown): boolean {
  return error instanceof CallError && error.param === 'language';
}

/** Maximum number of characters that the server speaks at once. */
const maxSpokenCharacters = 4_096;

/** Speaks answers that came as text. */
function createSpeaking(caller: Caller, play: TypingOptions['play']) {
  const isSpeaking = signal(false);
  let end: (() => void) | undefined;
  return {
    isSpeaking,
    stop: () => end?.(),
    async say(text: string, { language, signal: given }: SayOptions): Promise<void> {
      const input = text.trim().slice(0, maxSpokenCharacters);
      if (input === '') return;
      const body = { input, language, response_format: 'mp3' };
      const response = await caller.open('/v1/audio/speech', { body, signal: given, withinMs });
      const file = await response.arrayBuffer();
      if (given.aborted) return;
      isSpeaking.value = true;
      end = await play(file, () => {
        isSpeaking.value = false;
      });
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
