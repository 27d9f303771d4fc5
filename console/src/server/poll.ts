import { signal } from '@preact/signals';
import { CallError, sentenceOf } from './call.ts';

export interface Polled<T> {
  value: T | null;
  /** Why there is nothing, or nothing new. */
  trouble: string | null;
  /** The server has no such route: an older one. */
  isMissing: boolean;
}

export type Poll<T> = ReturnType<typeof createPoll<T>>;

interface PollOptions {
  /** Goes on while the page is hidden. */
  whenHidden?: boolean;
}

/** Asks again and again while somebody looks. What was known stays while it cannot be asked. */
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
    /** Begins, or goes on; returns what ends it. */
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
