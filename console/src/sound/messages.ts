import type { Played } from './playout.ts';

/** What the page tells the loudspeaker's half in the sound thread. */
export type ToLoudspeaker =
  | { do: 'play'; turnId: string; samples: Int16Array }
  | { do: 'end'; turnId: string }
  | { do: 'stop'; turnId?: string };

/** What the sound thread tells the page. */
export type FromLoudspeaker = Played;
export interface FromMicrophone {
  frame: Int16Array<ArrayBuffer>;
  /** The loudest sample of it, 0 to 1. */
  level: number;
}

export const microphoneName = 'hearth-microphone';
export const loudspeakerName = 'hearth-loudspeaker';
