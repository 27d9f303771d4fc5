import { computed, signal } from '@preact/signals';
import type { TalkMode } from './device.ts';
import { afterHoldEvent, type Hold, type HoldEvent } from './hold.ts';

interface PushToTalkOptions {
  mode: () => TalkMode;
  /** The person wants to speak. Resolves with whether a microphone is open. */
  onPress: () => Promise<boolean>;
  onRelease: () => void;
  /** Everything said while the button was held has been heard. */
  onEnd: () => void;
}

const tailMs = 160;

/** The button of "hold to talk": hold.ts has its states, this file its clock. */
export function createPushToTalk({ mode, onPress, onRelease, onEnd }: PushToTalkOptions) {
  const hold = signal<Hold>('up');
  let tail: ReturnType<typeof setTimeout> | undefined;
  /** Whether the event has changed anything. */
  const take = (event: HoldEvent): boolean => {
    const before = hold.value;
    hold.value = afterHoldEvent(before, event, mode());
    return hold.value !== before;
  };

  return {
    hold,
    isHeld: computed(() => hold.value === 'held'),
    async press(): Promise<void> {
      if (!take('pressed')) return;
      clearTimeout(tail);
      if (!(await onPress())) take('refused');
    },
    release(): void {
      if (!take('released')) return;
      tail = setTimeout(() => take('trailed') && onEnd(), tailMs);
      onRelease();
    },
    lost: () => void take('lost'),
  };
}
