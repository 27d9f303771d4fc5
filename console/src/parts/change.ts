import { type Signal, useSignal } from '@preact/signals';
import type { House } from '../house.ts';
import { type CallOptions, sentenceOf } from '../server/call.ts';
import type { Poll } from '../server/poll.ts';

export interface Changes {
  /** Why the last change failed, as a sentence; '' if it succeeded. */
  trouble: Signal<string>;
  /** Sends a change, then polls again. Returns whether the server accepted it. */
  change: (path: string, how: CallOptions, onMade?: () => void) => Promise<boolean>;
}

/** Changes the data of a poll. */
export function useChanges(house: House, poll: Pick<Poll<object>, 'ask'>): Changes {
  const trouble = useSignal('');
  return {
    trouble,
    async change(path, how, onMade = () => undefined) {
      let isMade = false;
      try {
        await house.caller.call(path, how);
        [isMade, trouble.value] = [true, ''];
        onMade();
      } catch (error) {
        trouble.value = sentenceOf(error);
      }
      await poll.ask();
      return isMade;
    },
  };
}
