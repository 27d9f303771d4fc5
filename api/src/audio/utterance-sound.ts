import type { Edge } from './endpointer.ts';
import { frameMs } from './frames.ts';
import { durationMs, type Pcm } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

/** The sound of an utterance, including its lead. */
export interface Sounds {
  sound: Pcm;
  /** The sound together with the previous utterance, if this one continues it; null: it does not. */
  joined: Pcm | null;
}

/**
 * An edge with the sound up to it. An end after a pause has the same sound as the pause, so that work on it
 * stays valid.
 */
export type UtteranceEdge =
  | Extract<Edge, { type: 'started' | 'resumed' }>
  | (Extract<Edge, { type: 'paused' | 'ended' }> & Sounds);

/** An open utterance so far. `untilMs`: end of the sound in the stream. */
export interface OpenUtterance extends Sounds {
  lengthMs: number;
  untilMs: number;
}

interface Open {
  fromMs: number;
  /** The start of the previous utterance if this one continues it. */
  joinedFromMs: number | null;
  pausedAtMs: number | null;
}

/**
 * Stores the part of a stream that utterances need and cuts them out. Each includes `leadMs` of earlier
 * sound.
 */
export function createUtteranceSound({ leadMs }: { leadMs: number }) {
  let frames: Buffer[] = [];
  /** Start of the first stored frame. */
  let keptFromMs = 0;
  /** The previous utterance. The next one takes no speech from it. */
  let before = { fromMs: 0, untilMs: -frameMs };
  let open: Open | null = null;

  const frameAt = (ms: number) => Math.max(0, Math.floor((ms - keptFromMs) / frameMs));
  const between = (fromMs: number, untilMs: number): Pcm => ({
    sampleRateHz: speechRateHz,
    samples: Buffer.concat(frames.slice(frameAt(fromMs), frameAt(untilMs))),
  });
  const soundsOf = ({ fromMs, joinedFromMs }: Open, untilMs: number): Sounds => ({
    sound: between(fromMs, untilMs),
    joined: joinedFromMs === null ? null : between(joinedFromMs, untilMs),
  });
  const nowMs = () => keptFromMs + frames.length * frameMs;

  const begin = (fromMs: number, continues: boolean): Open => ({
    // The voice before may have lasted a frame longer than the VAD detected.
    fromMs: Math.max(before.untilMs + frameMs, fromMs - leadMs),
    joinedFromMs: continues ? before.fromMs : null,
    pausedAtMs: null,
  });

  const close = (utterance: Open, untilMs: number): void => {
    before = { fromMs: utterance.joinedFromMs ?? utterance.fromMs, untilMs };
    open = null;
  };

  return {
    push(frame: Buffer): void {
      frames.push(frame);
    },
    /** The edge with the sound up to it. */
    cut(edge: Edge): UtteranceEdge {
      if (edge.type === 'started') {
        open = begin(edge.fromMs, edge.continues);
        return edge;
      }
      // Only `started` opens an utterance: the endpointer emits edges in a valid order.
      const utterance = open ?? begin(edge.atMs, false);
      utterance.pausedAtMs = edge.type === 'resumed' ? null : (utterance.pausedAtMs ?? edge.atMs);
      if (edge.type === 'resumed') return edge;
      const edgeWithSound = { ...edge, ...soundsOf(utterance, utterance.pausedAtMs ?? edge.atMs) };
      if (edge.type === 'ended') close(utterance, edge.untilMs);
      return edgeWithSound;
    },
    /** The latest sound, at most this long. */
    last: (ms: number): Buffer => Buffer.concat(frames.slice(-Math.ceil(ms / frameMs))),
    /** The utterance so far; null: there is none. */
    soFar(): OpenUtterance | null {
      if (open === null) return null;
      const untilMs = nowMs();
      const sounds = soundsOf(open, untilMs);
      return { ...sounds, lengthMs: durationMs(sounds.sound), untilMs };
    },
    /** Drops all sound: the next sound does not continue it. */
    forget(): void {
      keptFromMs = nowMs();
      [frames, open, before] = [[], null, { fromMs: keptFromMs, untilMs: keptFromMs - frameMs }];
    },
    /** Drops sound that no utterance needs. Keeps the previous utterance whole while it may continue. */
    tidy({ lastMs, mayContinue }: { lastMs: number; mayContinue: boolean }): void {
      if (open !== null || mayContinue) return;
      const gone = Math.min(frameAt(nowMs() - lastMs), frames.length);
      if (gone === 0) return;
      frames = frames.slice(gone);
      keptFromMs += gone * frameMs;
    },
  };
}
