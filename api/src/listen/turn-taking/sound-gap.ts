import type { Clock } from '../../clock.ts';
import type { Endpointing } from '../events/listen-events.ts';
import type { PendingUtterance } from '../utterance/pending-utterance.ts';
import { isFromBefore, type PastSuspension } from './old-sound.ts';

/**
 * A satellite that stops sending during speech has ended the utterance. With a button, people may take their
 * time.
 */
const maxGapMs: Readonly<Record<Endpointing, number>> = { server: 1_500, manual: 10_000 };

interface SoundGapOptions {
  clock: Clock;
  microphone: { commit(): void; clear(): void };
  suspension: () => PastSuspension;
}

/** Ends an utterance whose sound has stopped. The endpointer cannot, because its clock is the sound. */
export function createSoundGapWatch({ clock, microphone, suspension }: SoundGapOptions) {
  let lastSoundAtMs = clock.nowMs();
  return {
    /** Sound has arrived, with or without speech. */
    soundCame(): void {
      lastSoundAtMs = clock.nowMs();
    },
    watch({ utterance, isManual }: Pick<PendingUtterance, 'utterance' | 'isManual'>): void {
      const limitMs = maxGapMs[isManual ? 'manual' : 'server'];
      const look = (): void => {
        if (!utterance.isOpen()) return;
        const leftMs = lastSoundAtMs + limitMs - clock.nowMs();
        if (leftMs > 0) clock.after(leftMs, look);
        else if (isManual || isFromBefore(lastSoundAtMs, suspension())) microphone.clear();
        else microphone.commit();
      };
      clock.after(limitMs, look);
    },
  };
}
