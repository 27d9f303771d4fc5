import { signal } from '@preact/signals';
import type { Again } from './again.ts';
import { CallError, sentenceOf } from './call.ts';

export interface Polled<T> {
  value: T | null;
  /** Why there is no value, or no newer one. */
  trouble: string | null;
  /** The server is older and does not have this route. */
  isMissing: boolean;
  /** The server is unreachable, which the page reports in one place. */
  isAway: boolean;
}

export type Poll<T> = ReturnType<typeof createPoll<T>>;

interface PollOptions {
  /** Polls even while the page is hidden. */
  whenHidden?: boolean;
  again: Again;
  /** Whether an error means that the server is unreachable. */
  isAway: (error: unknown) => boolean | Promise<boolean>;
}

/** Polls while the page is visible. Keeps the last answer if the server is unreachable. */
export function createPoll<T>(
  load: (signal: AbortSignal) => Promise<T>,
  intervalMs: number,
  options: PollOptions,
) {
  const state = signal<Polled<T>>({ value: null, trouble: null, isMissing: false, isAway: false });
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  let stopListening = (): void => undefined;
  let inFlight: Promise<boolean> | undefined;

  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    asking?.abort();
    const own = new AbortController();
    asking = own;
    inFlight = askNow(own.signal);
    const goesOn = await inFlight;
    if (asking !== own) return;
    inFlight = undefined;
    if (goesOn && watchers > 0) timer = setTimeout(askWhenSeen, intervalMs);
  };
  /** Returns whether to continue polling. */
  const askNow = async (over: AbortSignal): Promise<boolean> => {
    try {
      const value = await load(over);
      if (!over.aborted) state.value = { value, trouble: null, isMissing: false, isAway: false };
      return true;
    } catch (error) {
      const isAway = !over.aborted && (await options.isAway(error));
      if (over.aborted) return false;
      const isMissing = error instanceof CallError && error.status === 404;
      state.value = { ...state.value, trouble: sentenceOf(error), isMissing, isAway };
      // The scope of a token never changes, so more requests would only fill the log.
      return !(error instanceof CallError && error.code === 'insufficient_scope');
    }
  };
  const askWhenSeen = (): void => {
    if (options.whenHidden || document.visibilityState === 'visible') void ask();
    else timer = setTimeout(askWhenSeen, intervalMs);
  };

  return {
    state,
    ask,
    /** Resolves with the next answer, of the running request or a new one. */
    async settled(): Promise<void> {
      await (inFlight ?? ask());
    },
    /** Starts or joins the polling. Returns a function that ends it. */
    watch(): () => void {
      watchers += 1;
      if (watchers === 1) {
        void ask();
        stopListening = options.again.listen(() => void ask());
      }
      return () => {
        watchers -= 1;
        if (watchers > 0) return;
        clearTimeout(timer);
        asking?.abort();
        stopListening();
      };
    },
  };
}
