import type { Outlook, Silences } from '../audio/endpointer.ts';
import type { Listener, UtteranceEdge } from '../audio/listener.ts';
import type { Clock } from './clock.ts';
import { createOldSound, type StoodStill } from './old-sound.ts';

interface SessionMicrophoneOptions {
  clock: Clock;
  standstill: () => StoodStill;
  listener: Listener;
  /** Sound has come that is listened to. */
  onSound: () => void;
  /** Sound is left out: it waited while this process stood still. */
  onOld: (standstill: StoodStill) => void;
  onEdge: (edge: UtteranceEdge) => void;
  onFault: (error: unknown) => void;
}

/** The microphone of one satellite. Whatever it is told, the edges that follow come one at a time and in their order. */
export function createSessionMicrophone(options: SessionMicrophoneOptions) {
  const { listener, onSound, onEdge, onFault } = options;
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

  const freshOf = createOldSound({ ...options, onStandstill: () => void hearOne(listener.clear()) });

  return {
    async hear(samples: Buffer): Promise<void> {
      const fresh = freshOf(samples);
      if (fresh.length > 0) onSound();
      await Promise.all(fresh.map((each) => hear(listener.push(each))));
    },
    soFar: listener.soFar,
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
