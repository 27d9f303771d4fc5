import type { Pcm } from '../audio/pcm.ts';
import type { TurnEvent } from './turn-events.ts';

/** A sentence of a reply, ready to play. */
export interface Speech {
  /** Counts from 0. */
  seq: number;
  text: string;
  /** At the voice's sample rate. Null if no voice was available. */
  sound: Pcm | null;
}

interface PlayoutOptions {
  take: (seq: number) => Pcm | null;
  play: (speech: Speech) => void;
  onEnd: () => void;
  onFault: (error: unknown) => void;
}

type Spoken = Extract<TurnEvent, { type: 'speech' }>;

/** Plays the sentences of a reply in order, even if they were synthesized out of order. */
export function createPlayout({ take, play, onEnd, onFault }: PlayoutOptions) {
  const ready = new Map<number, Spoken>();
  let next = 0;
  let end: number | undefined;

  const playReady = (): void => {
    try {
      playInOrder();
    } catch (error) {
      onFault(error);
    }
  };
  const playInOrder = (): void => {
    for (let spoken = ready.get(next); spoken; spoken = ready.get(next)) {
      const { seq, text, hasSound } = spoken;
      ready.delete(seq);
      next += 1;
      play({ seq, text, sound: hasSound ? take(seq) : null });
    }
    if (next === end) onEnd();
  };

  return {
    spoken(event: Spoken): void {
      if (event.seq >= next) ready.set(event.seq, event);
      playReady();
    },
    /** Sets the number of sentences. */
    endAt(sentences: number): void {
      end = sentences;
      playReady();
    },
  };
}
