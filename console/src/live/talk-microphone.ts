import { type Signal, signal } from '@preact/signals';
import { t } from '../language/translate.ts';
import { sentenceOf } from '../server/call.ts';
import { createMicrophone, isMicrophoneAllowed, NoMicrophone } from '../sound/microphone.ts';
import type { SoundCard } from '../sound/sound-card.ts';

interface TalkMicrophoneOptions {
  card: SoundCard;
  /** Shows the person why the microphone does not work. */
  trouble: Signal<string | null>;
  onFrame: (frame: ArrayBuffer) => void;
  /** Called before the first frame after missing sound. */
  onGap: () => void;
  onLost: () => void;
}

/** How a press opened it. `asked`: the browser asked for permission first. */
export type MicrophoneOpening = 'open' | 'asked' | 'refused';

/** Time after which an unused microphone is released. */
const idleMs = 60_000;

/** The state of the microphone that the person sees. */
export function createTalkMicrophone({ card, trouble, onFrame, onGap, onLost }: TalkMicrophoneOptions) {
  const state = signal<'closed' | 'opening' | 'open'>('closed');
  /** How loud it is, 0 to 1. */
  const level = signal(0);
  let idle: ReturnType<typeof setTimeout> | undefined;
  const microphone = createMicrophone({
    card,
    onFrame: ({ frame, level: loudest }) => {
      level.value = loudest;
      onFrame(frame.buffer);
    },
    onGap,
    onLost: () => {
      state.value = 'closed';
      trouble.value = t('The microphone was disconnected. Plug it in again, or allow it in the browser.');
      onLost();
    },
  });
  const close = (): void => {
    clearTimeout(idle);
    microphone.close();
    state.value = 'closed';
    level.value = 0;
  };

  const open = async (): Promise<boolean> => {
    clearTimeout(idle);
    if (microphone.isOpen) return true;
    state.value = 'opening';
    trouble.value = null;
    const fault = await microphone.open().then(() => null, faultOf);
    state.value = fault === null ? 'open' : 'closed';
    if (fault !== null) trouble.value = fault;
    return fault === null;
  };

  return {
    state,
    level,
    /** Whether it is open now. */
    open,
    async openOnPress(): Promise<MicrophoneOpening> {
      // Read it before the person can answer the browser's question.
      const isAllowed = microphone.isOpen || isMicrophoneAllowed();
      if (!(await open())) return 'refused';
      return (await isAllowed) ? 'open' : 'asked';
    },
    /** Opens without a press, unless the browser would ask. Then it waits for a press. */
    async openUnasked(): Promise<void> {
      if (await isMicrophoneAllowed()) await open();
    },
    close,
    closeWhenIdle(): void {
      clearTimeout(idle);
      idle = setTimeout(close, idleMs);
    },
  };
}

function faultOf(error: unknown): string {
  return error instanceof NoMicrophone ? error.message : sentenceOf(error);
}
