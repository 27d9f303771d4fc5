import { computed, signal } from '@preact/signals';
import type { TalkMode } from './device.ts';
import { afterHoldEvent, type Hold, type HoldEvent } from './hold.ts';
import type { MicrophoneOpening } from './talk-microphone.ts';

interface PushToTalkOptions {
  mode: () => TalkMode;
  /** The person wants to speak. */
  onPress: () => Promise<MicrophoneOpening>;
  onRelease: () => void;
  /** Everything said while the button was held has been heard. */
  onEnd: () => void;
  /** Whether it listens although the button is not held. */
  onFree: (isFree: boolean) => void;
}

const tailMs = 160;
/** Without speech for this long, it stops listening. */
const maxQuietMs = 10_000;

/** Runs the "hold to talk" button: hold.ts defines the states, this file adds the timeouts. */
export function createPushToTalk({ mode, onPress, onRelease, onEnd, onFree }: PushToTalkOptions) {
  const hold = signal<Hold>('up');
  let tail: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let isOpening = false;
  /** Whether the event changed the state. */
  const take = (event: HoldEvent): boolean => {
    const before = hold.value;
    hold.value = afterHoldEvent(before, event, mode());
    if (before === 'free' || hold.value === 'free') onFree(hold.value === 'free');
    return hold.value !== before;
  };

  return {
    hold,
    isHeld: computed(() => hold.value === 'held'),
    isFree: computed(() => hold.value === 'free'),
    async press(): Promise<void> {
      if (!take('pressed')) return;
      clearTimeout(tail);
      clearTimeout(quiet);
      isOpening = true;
      const opened = await onPress();
      isOpening = false;
      if (opened === 'refused') take('refused');
      if (opened === 'asked' && take('allowed')) quiet = setTimeout(() => take('heard'), maxQuietMs);
      if (opened === 'open' && hold.value === 'up') onEnd();
    },
    release(): void {
      if (!take('released')) return;
      // Without a microphone there is no speech to end.
      tail = setTimeout(() => take('trailed') && !isOpening && onEnd(), tailMs);
      onRelease();
    },
    /** Speech has started. */
    hears: () => clearTimeout(quiet),
    /** The server has found the end of an utterance. */
    heard: () => void take('heard'),
    lost: () => void take('lost'),
  };
}
