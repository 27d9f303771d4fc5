import type { Edge } from './endpointer.ts';
import { frameMs } from './frames.ts';
import { durationMs, type Pcm } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

/** The sound of an utterance, from a little before it. */
export interface Sounds {
  sound: Pcm;
  /** The sound together with the utterance before, if this one goes on with it; null: it stands alone. */
  joined: Pcm | null;
}

/**
 * An edge with the sound up to it. An end after a pause has the same sound as the pause, so that work on it
 * stays good.
 */
export type UtteranceEdge =
  | Extract<Edge, { type: 'started' | 'resumed' }>
  | (Extract<Edge, { type: 'paused' | 'ended' }> & Sounds);

/** An utterance that is not over, so far. `untilMs`: where the sound ends in the stream. */
export interface SoFar extends Sounds {
  lengthMs: number;
  untilMs: number;
}

interface Open {
  fromMs: number;
  /** Where the utterance before began, if this one goes on with it. */
  joinedFromMs: number | null;
  pausedAtMs: number | null;
}

/**
 * Keeps as much of a stream as utterances need, and cuts them out at their edges. Each includes `leadMs` of
 * sound from before it.
 */
export function createUtteranceSound({ leadMs }: { leadMs: number }) {
  let frames: Buffer[] = [];
  /** Where the first frame that is kept begins. */
  let keptFromMs = 0;
  /** The utterance before. The next one takes no speech from it. */
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
    // The voice before may have lasted a frame longer than the detection saw.
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
    /** The last sound, at most this long. */
    last: (ms: number): Buffer => Buffer.concat(frames.slice(-Math.ceil(ms / frameMs))),
    /** The utterance so far; null: nobody speaks. */
    soFar(): SoFar | null {
      if (open === null) return null;
      const untilMs = nowMs();
      const sounds = soundsOf(open, untilMs);
      return { ...sounds, lengthMs: durationMs(sounds.sound), untilMs };
    },
    /** Forgets all sound: what comes does not follow on it. */
    forget(): void {
      keptFromMs = nowMs();
      [frames, open, before] = [[], null, { fromMs: keptFromMs, untilMs: keptFromMs - frameMs }];
    },
    /** Forgets sound that no utterance needs. The utterance before is kept whole while it may go on. */
    tidy({ lastMs, mayContinue }: { lastMs: number; mayContinue: boolean }): void {
      if (open !== null || mayContinue) return;
      const gone = Math.min(frameAt(nowMs() - lastMs), frames.length);
      if (gone === 0) return;
      frames = frames.slice(gone);
      keptFromMs += gone * frameMs;
    },
  };
}
