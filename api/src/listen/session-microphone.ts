import type { Outlook, Silences } from '../audio/endpointer.ts';
import { frameBytes } from '../audio/frames.ts';
import type { Listener, UtteranceEdge } from '../audio/listener.ts';
import type { Clock } from './clock.ts';
import { createOldSound, type StoodStill } from './old-sound.ts';

const bytesPerMs = 32;

interface SessionMicrophoneOptions {
  clock: Clock;
  standstill: () => StoodStill;
  listener: Listener;
  /** What of the sound is listened to. `isAnew`: sound was left out before it. */
  admit: (samples: Buffer) => { sound: Buffer; isAnew: boolean };
  /** Nothing goes on with the sound before. */
  onGap: () => void;
  /** Sound has come that is listened to. */
  onSound: () => void;
  /** Sound is left out: it waited while this process stood still. */
  onOld: (standstill: StoodStill) => void;
  onEdge: (edge: UtteranceEdge) => void;
  onFault: (error: unknown) => void;
}

/** The microphone of one satellite. Whatever it is told, the edges that follow come one at a time and in their order. */
export function createSessionMicrophone(options: SessionMicrophoneOptions) {
  const { listener, admit, onGap, onSound, onEdge, onFault } = options;
  const hear = (found: Promise<readonly UtteranceEdge[]>): Promise<void> =>
    found
      .then((edges) => {
        for (const edge of edges) onEdge(edge);
      })
      .catch(onFault);
  const hearOne = (found: Promise<UtteranceEdge | null>, onNothing?: () => void): Promise<void> =>
    hear(
      found.then((edge) => {
        if (edge === null) onNothing?.();
        return edge === null ? [] : [edge];
      }),
    );

  let leftOutBytes = 0;
  const freshOf = createOldSound({
    ...options,
    onStandstill: () => {
      onGap();
      void hearOne(listener.clear());
    },
  });
  const listen = (samples: Buffer): Promise<unknown> => {
    const { sound, isAnew } = admit(samples);
    leftOutBytes += samples.length - sound.length;
    if (!isAnew) return sound.length === 0 ? Promise.resolve() : hear(listener.push(sound));
    void hearOne(listener.clear());
    listener.skip().catch(onFault);
    // Frame by frame, so that each edge is known when it is found, however much sound comes at once.
    return Promise.all(inFrames(sound).map((frame) => hear(listener.push(frame))));
  };

  return {
    async hear(samples: Buffer): Promise<void> {
      const fresh = freshOf(samples);
      if (fresh.length > 0) onSound();
      await Promise.all(fresh.map(listen));
    },
    soFar: listener.soFar,
    /** How much sound was not listened to: so far the stream of the satellite is ahead of ours. */
    leftOutMs: () => leftOutBytes / bytesPerMs,
    expect: (outlook: Outlook, transcribedUntilMs: number) =>
      void hear(listener.expect(outlook, transcribedUntilMs)),
    /** Ends the utterance now. `onNothing`: nobody has spoken. */
    commit: (onNothing?: () => void) => hearOne(listener.commit(), onNothing),
    /** Forgets the utterance. `onNothing`: there was none. */
    clear: (onNothing?: () => void) => hearOne(listener.clear(), onNothing),
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
