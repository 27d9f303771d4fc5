import type { Played } from './playout.ts';

/** Messages from the page to the sound thread. */
export type ToLoudspeaker =
  | { do: 'play'; turnId: string; samples: Int16Array }
  | { do: 'end'; turnId: string }
  | { do: 'stop'; turnId?: string };

/** Messages from the sound thread to the page. */
export type FromLoudspeaker = Played;
export interface FromMicrophone {
  frame: Int16Array<ArrayBuffer>;
  /** Its peak level, 0 to 1. */
  level: number;
  /** The time of its last sample by the machine's clock, in Unix ms. */
  atMs: number;
}

export const microphoneName = 'hearth-microphone';
export const loudspeakerName = 'hearth-loudspeaker';
