import { t } from '../language/translate.ts';
import { createGapWatch } from './gap-watch.ts';
import type { FromMicrophone } from './messages.ts';
import type { SoundCard } from './sound-card.ts';

/** There is no microphone. The message says why, and what the person can do. */
export class NoMicrophone extends Error {
  override readonly name = 'NoMicrophone';
}

interface MicrophoneOptions {
  card: SoundCard;
  onFrame: (frame: FromMicrophone) => void;
  /** Called before the first frame after missing sound. */
  onGap: () => void;
  /** Called when it was unplugged, or blocked in the browser's settings. */
  onLost: () => void;
}

/** The device's microphone: 16 kHz, in frames of 20 ms. The browser cancels the echo of its own sound. */
export function createMicrophone({ card, onFrame, onGap, onLost }: MicrophoneOptions) {
  let opened: { stream: MediaStream; node: AudioWorkletNode } | undefined;
  let opening: Promise<void> | undefined;

  const close = (): void => {
    for (const track of opened?.stream.getTracks() ?? []) track.stop();
    opened?.node.disconnect();
    opened = undefined;
  };
  const open = async (): Promise<void> => {
    const stream = await streamOf();
    const node = await card.microphone(stream);
    const watchGaps = createGapWatch(onGap);
    node.port.onmessage = ({ data }: MessageEvent<FromMicrophone>) => {
      watchGaps(data.atMs);
      onFrame(data);
    };
    for (const track of stream.getTracks()) {
      track.addEventListener('ended', () => {
        if (opened?.stream !== stream) return;
        close();
        onLost();
      });
    }
    opened = { stream, node };
    card.wake();
  };

  return {
    get isOpen() {
      return opened !== undefined;
    },
    /** Throws NoMicrophone. */
    async open(): Promise<void> {
      if (opened) return;
      opening ??= open().finally(() => {
        opening = undefined;
      });
      await opening;
    },
    close,
  };
}

/** Whether the browser would open it without a prompt. Unknown counts as a prompt. */
export async function isMicrophoneAllowed(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' });
    return state === 'granted';
  } catch {
    return false; // an older browser, or a page over http
  }
}

async function streamOf(): Promise<MediaStream> {
  // Browsers allow the microphone only on secure pages.
  if (!isSecureContext || navigator.mediaDevices === undefined) {
    throw new NoMicrophone(
      t(
        'This browser allows the microphone only on pages from this machine (http://localhost) or over https. You can type instead; docs/page.md shows how to put a certificate in front of Hearth.',
      ),
    );
  }
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new NoMicrophone(reasons[name]?.() ?? t('The microphone cannot be opened. You can type instead.'), {
      cause: error,
    });
  }
}

const reasons: Readonly<Record<string, () => string>> = {
  NotAllowedError: () =>
    t(
      'The microphone is not allowed for this page. Allow it in the browser (the sign beside the address), or type instead.',
    ),
  NotFoundError: () => t('There is no microphone. Plug one in, or type instead.'),
  NotReadableError: () =>
    t('Another program is using the microphone. Close it and try again, or type instead.'),
};
