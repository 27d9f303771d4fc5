import type { SentenceOutlook, Silences } from '../audio/endpointer.ts';
import { frameBytes } from '../audio/frames.ts';
import type { Listener, UtteranceEdge } from '../audio/listener.ts';
import type { Clock } from '../clock.ts';
import { createOldSound, type PastSuspension } from './turn-taking/old-sound.ts';

const bytesPerMs = 32;

interface SessionMicrophoneOptions {
  clock: Clock;
  suspension: () => PastSuspension;
  listener: Listener;
  /** Returns the sound to process. `isAnew`: earlier sound was dropped. */
  admit: (samples: Buffer) => { sound: Buffer; isAnew: boolean };
  /** Called after a gap: later speech does not continue earlier speech. */
  onGap: () => void;
  /** Called for each batch of fresh sound. */
  onSound: () => void;
  /** Called when sound is dropped because it was buffered while this process was suspended. */
  onOld: (suspension: PastSuspension) => void;
  onEdge: (edge: UtteranceEdge) => void;
  onFault: (error: unknown) => void;
}

/** The microphone of one satellite. It delivers edges one at a time and in order. */
export function createSessionMicrophone(options: SessionMicrophoneOptions) {
  const { clock, listener, suspension, admit, onGap, onSound, onOld, onEdge, onFault } = options;
  const report = (found: Promise<readonly UtteranceEdge[]>): Promise<void> =>
    found
      .then((edges) => {
        for (const edge of edges) onEdge(edge);
      })
      .catch(onFault);
  const reportOne = (found: Promise<UtteranceEdge | null>, onNothing?: () => void): Promise<void> =>
    report(
      found.then((edge) => {
        if (edge === null) onNothing?.();
        return edge === null ? [] : [edge];
      }),
    );

  let leftOutBytes = 0;
  const freshOf = createOldSound({
    clock,
    suspension,
    onSuspension: () => {
      onGap();
      void reportOne(listener.clear());
    },
    onOld,
  });
  const process = (samples: Buffer): Promise<unknown> => {
    const { sound, isAnew } = admit(samples);
    leftOutBytes += samples.length - sound.length;
    if (!isAnew) return sound.length === 0 ? Promise.resolve() : report(listener.push(sound));
    void reportOne(listener.clear());
    listener.skip().catch(onFault);
    // Frame by frame, so that each edge arrives when it is found, however much sound comes at once.
    return Promise.all(inFrames(sound).map((frame) => report(listener.push(frame))));
  };

  return {
    async pushAudio(samples: Buffer): Promise<void> {
      const fresh = freshOf(samples);
      if (fresh.length > 0) onSound();
      await Promise.all(fresh.map(process));
    },
    soFar: listener.soFar,
    /** How much sound was skipped: our stream position is behind the satellite's by this much. */
    leftOutMs: () => leftOutBytes / bytesPerMs,
    expect: (outlook: SentenceOutlook, transcribedUntilMs: number) =>
      void report(listener.expect(outlook, transcribedUntilMs)),
    /** Ends the utterance now. `onNothing`: there was no speech. */
    commit: (onNothing?: () => void) => reportOne(listener.commit(), onNothing),
    /** Drops the utterance. `onNothing`: there was no utterance. */
    clear: (onNothing?: () => void) => reportOne(listener.clear(), onNothing),
    set(changed: { silences: Silences; isManual: boolean }): void {
      listener.set(changed).catch(onFault);
    },
  };
}

function inFrames(sound: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(sound.length / frameBytes) }, (_, at) =>
    sound.subarray(at * frameBytes, (at + 1) * frameBytes),
  );
}
