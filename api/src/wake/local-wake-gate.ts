import type { WakeMemory } from './wake-memory.ts';
import type { WakeHit } from './wake-word-detector.ts';

/** The side that detects the wake words. `undecided`: the detector is still loading, and no sound is sent. */
type WakeDetectorSide = 'undecided' | 'here' | 'server';

/** The part of a session that decides the side. */
interface WakeSession {
  wake?: string | undefined;
  wake_words?: readonly { word: string }[] | undefined;
}

type WakeReport =
  | { type: 'session.update'; session: { wake_detector: 'client' | 'server' } }
  | { type: 'wake.heard'; word: string; certainty: WakeHit['certainty'] };

interface LocalWakeGateOptions {
  /** Creates the detector for the household's words. Rejects if that fails. On a retry the server listens. */
  load: (how: { isRetry: boolean }) => Promise<WakeMemory>;
  send: (event: WakeReport) => void;
  sendSound: (samples: Uint8Array) => void;
  /** The detector could not be loaded, so the server has to detect the words in all sound. */
  onFault: (error: unknown) => void;
  /** A later attempt has loaded the detector. */
  onMended: () => void;
  /** Runs the work once after this time, in ms. */
  after: (ms: number, work: () => void) => void;
}

/** Waits between attempts to load the detector, in ms. The last one repeats. */
const retryMs = [15_000, 60_000, 300_000] as const;

/**
 * Decides which sound of a room is sent. In `word` mode, it sends nothing until it detects a wake word here.
 * Then it sends 1.5 s of earlier sound, and everything while Hearth listens. It sends everything in other
 * modes, and while the detector cannot be loaded. The household may change the mode at any time.
 */
export function createLocalWakeGate(options: LocalWakeGateOptions) {
  const { load, send, sendSound, onFault, onMended, after } = options;
  let memory: WakeMemory | null = null;
  let side: WakeDetectorSide = 'undecided';
  let isOpen = false;
  /** The server leaves the detection to us. It keeps to that until it is told otherwise. */
  let isTold = false;
  /** The words to detect here. Null: none. Undefined: the session is not known yet. */
  let chosen: string | null | undefined;
  let attempt = 0;

  const leaveToServer = (): void => {
    attempt += 1;
    side = 'server';
    if (isTold) send({ type: 'session.update', session: { wake_detector: 'server' } });
    isTold = false;
  };
  const beginHere = async (failures = 0): Promise<void> => {
    const current = ++attempt;
    try {
      const made = await load({ isRetry: failures > 0 });
      // A newer connection, mode or choice of words has replaced this attempt.
      if (current !== attempt) return;
      [memory, side, isOpen, isTold] = [made, 'here', false, true];
      send({ type: 'session.update', session: { wake_detector: 'client' } });
      if (failures > 0) onMended();
    } catch (error) {
      if (current !== attempt) return;
      leaveToServer();
      if (failures === 0) onFault(error);
      retryLater(failures);
    }
  };
  const retryLater = (failures: number): void => {
    const current = attempt;
    after(retryMs[failures] ?? retryMs[2], () => {
      if (current !== attempt) return;
      // A change of the detector would end the conversation.
      if (isOpen) retryLater(failures);
      else void beginHere(failures + 1);
    });
  };
  const pause = (): void => {
    attempt += 1;
    [side, chosen] = ['undecided', undefined];
  };
  const hearHere = (samples: Uint8Array): void => {
    const { hits, before } = memory?.push(samples) ?? { hits: [], before: null };
    for (const { word, certainty } of hits) send({ type: 'wake.heard', word, certainty });
    if (isOpen) sendSound(samples);
    else if (before) sendSound(before);
    isOpen ||= before !== null;
  };

  return {
    /** Takes 16-bit samples of the microphone. */
    hear(samples: Uint8Array): void {
      if (side === 'server') sendSound(samples);
      else if (side === 'here') hearHere(samples);
    },
    /** Call after a gap in the sound, such as a muted microphone: earlier sound is never sent. */
    gap: (): void => memory?.reset(),
    /** Sends nothing until the next state of the session, because the mode is about to change. */
    pause,
    /** A new connection: its session is not known yet, and its server is the detector. */
    reset(): void {
      pause();
      [isOpen, isTold] = [false, false];
    },
    /** The state of the session that the server has sent. */
    follow({ wake, wake_words = [] }: WakeSession): void {
      const now = wake === 'word' ? wake_words.map(({ word }) => word).join() : null;
      if (now === chosen) return;
      chosen = now;
      if (now === null) leaveToServer();
      else void beginHere();
    },
    /** Whether the server wants sound (`microphone.changed`). */
    open(isWanted: boolean): void {
      isOpen = isWanted;
    },
    /** The server does not know a word that was detected here, so the household has changed its words. */
    refused(): void {
      isOpen = false;
      void beginHere();
    },
  };
}
