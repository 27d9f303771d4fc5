import type { Edge } from './endpointer.ts';
import { frameMs } from './frames.ts';
import { durationMs, type Pcm } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

/** The sound of an utterance, from a little before it. */
export interface Sounds {
  sound: Pcm;
  /** With the utterance before, where this one goes on with it; null where it stands for itself. */
  joined: Pcm | null;
}

/** An edge, with what was said. An end that comes out of a pause has the very sound of the pause: work on it stays good. */
export type UtteranceEdge =
  | Extract<Edge, { type: 'started' | 'resumed' }>
  | (Extract<Edge, { type: 'paused' | 'ended' }> & Sounds);

/** What has been said of an utterance that is not over; `untilMs`: where it ends in the stream. */
export interface SoFar extends Sounds {
  lengthMs: number;
  untilMs: number;
}

interface Open {
  fromMs: number;
  /** Where the utterance began with which this one goes on. */
  joinedFromMs: number | null;
  pausedAtMs: number | null;
}

/** Keeps of a stream what utterances need, and cuts them out as the edges tell. `leadMs` of sound go with each from before it. */
export function createUtteranceSound({ leadMs }: { leadMs: number }) {
  let frames: Buffer[] = [];
  /** Where the first frame that is kept begins. */
  let keptFromMs = 0;
  /** The utterance before: what comes next takes no speech from it. */
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
    // The voice before may have lasted a frame longer than was seen.
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
    /** The edge, with the sound up to it. */
    cut(edge: Edge): UtteranceEdge {
      if (edge.type === 'started') {
        open = begin(edge.fromMs, edge.continues);
        return edge;
      }
      // Only `started` opens: the endpointer tells edges in a legal order.
      const utterance = open ?? begin(edge.atMs, false);
      utterance.pausedAtMs = edge.type === 'resumed' ? null : (utterance.pausedAtMs ?? edge.atMs);
      if (edge.type === 'resumed') return edge;
      const edgeWithSound = { ...edge, ...soundsOf(utterance, utterance.pausedAtMs ?? edge.atMs) };
      if (edge.type === 'ended') close(utterance, edge.untilMs);
      return edgeWithSound;
    },
    /** The last sound, at most so much of it. */
    last: (ms: number): Buffer => Buffer.concat(frames.slice(-Math.ceil(ms / frameMs))),
    /** What has been said by now; null when nobody speaks. */
    soFar(): SoFar | null {
      if (open === null) return null;
      const untilMs = nowMs();
      const sounds = soundsOf(open, untilMs);
      return { ...sounds, lengthMs: durationMs(sounds.sound), untilMs };
    },
    /** Forgets what no utterance needs. The one before is kept whole while it may go on. */
    tidy({ lastMs, mayContinue }: { lastMs: number; mayContinue: boolean }): void {
      if (open !== null || mayContinue) return;
      const gone = Math.min(frameAt(nowMs() - lastMs), frames.length);
      if (gone === 0) return;
      frames = frames.slice(gone);
      keptFromMs += gone * frameMs;
    },
  };
}
