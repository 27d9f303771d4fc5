import { type Signal, useSignal } from '@preact/signals';
import type { House } from '../house.ts';
import { type CallOptions, sentenceOf } from '../server/call.ts';
import type { Poll } from '../server/poll.ts';

export interface Changes {
  /** Why the last one was not made, in a sentence; '' if it was. */
  trouble: Signal<string>;
  /** Makes a change and polls again. Returns whether the server accepted it. */
  change: (path: string, how: CallOptions, onMade?: () => void) => Promise<boolean>;
}

/** Changes to the data of a poll. */
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
