import { signal } from '@preact/signals';
import { CallError, sentenceOf } from './call.ts';

export interface Polled<T> {
  value: T | null;
  /** Why there is nothing, or nothing new. */
  trouble: string | null;
  /** The server is an older one without such a route. */
  isMissing: boolean;
}

export type Poll<T> = ReturnType<typeof createPoll<T>>;

interface PollOptions {
  /** Polls even while the page is hidden. */
  whenHidden?: boolean;
}

/** Asks again and again while the page is watched. The last answer stays if the server cannot be asked. */
export function createPoll<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  { whenHidden = false }: PollOptions = {},
) {
  const state = signal<Polled<T>>({ value: null, trouble: null, isMissing: false });
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    asking?.abort();
    const own = new AbortController();
    asking = own;
    try {
      const value = await load(own.signal);
      if (!own.signal.aborted) state.value = { value, trouble: null, isMissing: false };
    } catch (error) {
      if (own.signal.aborted) return;
      const isMissing = error instanceof CallError && error.status === 404;
      state.value = { ...state.value, trouble: sentenceOf(error), isMissing };
      // A token does not get another scope: asking on would only fill the log.
      if (error instanceof CallError && error.code === 'insufficient_scope') return;
    }
    if (watchers > 0 && asking === own) timer = setTimeout(askWhenSeen, everyMs);
  };
  const askWhenSeen = (): void => {
    if (whenHidden || document.visibilityState === 'visible') void ask();
    else timer = setTimeout(askWhenSeen, everyMs);
  };

  return {
    state,
    ask,
    /** Begins or continues; returns a function that ends it. */
    watch(): () => void {
      watchers += 1;
      if (watchers === 1) void ask();
      return () => {
        watchers -= 1;
        if (watchers > 0) return;
        clearTimeout(timer);
        asking?.abort();
      };
    },
  };
}
