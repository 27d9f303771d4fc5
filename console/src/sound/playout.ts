import { createResampler, type Resampler } from '../../../api/src/audio/resampler.ts';
import { speechRateHz } from '../../../api/src/audio/speech-rate.ts';
import { toFloats } from './frame-cutter.ts';

/** Playback progress of one turn. */
export interface Played {
  turnId: string;
  playedMs: number;
  /** Its playback is over. */
  isOver: boolean;
  /** Number of gaps because sound arrived late. */
  gaps: number;
}

interface PlayoutOptions {
  /** The sound card's rate. */
  toHz: number;
  onPlayed: (played: Played) => void;
}

interface Speech {
  turnId: string;
  resampler: Resampler;
  chunks: Float32Array[];
  /** How much of the first chunk has been played. */
  offset: number;
  waiting: number;
  /** How much sound the turn has sent, before the low pass added its tail. */
  broughtMs: number;
  played: number;
  gaps: number;
  state: 'filling' | 'playing' | 'stopping';
  hasEnded: boolean;
}

/** Sound to buffer before playback starts, enough for the jitter of a wireless network. */
const firstMs = 80;
/** Maximum queued sound. The server sends at most two seconds ahead. */
const maxWaitingMs = 4_000;

/** The queue of speech to play. It counts the samples that the sound card takes. */
export function createPlayout({ toHz, onPlayed }: PlayoutOptions) {
  const samplesOf = (ms: number) => Math.round((ms * toHz) / 1_000);
  const speeches: Speech[] = [];
  const find = (turnId: string) => speeches.find((speech) => speech.turnId === turnId);

  const tell = (speech: Speech, isOver: boolean): void =>
    onPlayed({
      turnId: speech.turnId,
      playedMs: Math.min(speech.broughtMs, (speech.played * 1_000) / toHz),
      isOver,
      gaps: speech.gaps,
    });
  const finish = (speech: Speech): void => {
    speeches.splice(speeches.indexOf(speech), 1);
    tell(speech, true);
  };

  const runDry = (speech: Speech): void => {
    if (speech.hasEnded) {
      finish(speech);
      return;
    }
    speech.state = 'filling';
    speech.gaps += 1;
    tell(speech, false);
  };

  return {
    play(turnId: string, samples: Int16Array): void {
      const speech = find(turnId) ?? open(speeches, { turnId, toHz });
      if (speech.hasEnded || speech.waiting > samplesOf(maxWaitingMs)) return;
      speech.broughtMs += (samples.length * 1_000) / speechRateHz;
      add(speech, speech.resampler.push(toFloats(samples)));
    },
    /** Marks the sound of a turn as complete. The rest still plays. */
    end(turnId: string): void {
      const speech = find(turnId);
      if (!speech || speech.hasEnded) return;
      add(speech, speech.resampler.end());
      speech.hasEnded = true;
    },
    /** Fades one turn or all turns to silence within a few milliseconds. */
    stop(turnId?: string): void {
      for (const speech of speeches.filter((each) => turnId === undefined || each.turnId === turnId)) {
        if (speech.state === 'playing') speech.state = 'stopping';
        else finish(speech);
      }
    },
    /** Fills the buffer that the sound card plays next. */
    render(out: Float32Array): void {
      out.fill(0);
      const speech = speeches[0];
      if (!speech) return;
      const isReady = speech.hasEnded || speech.waiting >= samplesOf(firstMs);
      if (speech.state === 'filling' && !isReady) return;
      if (speech.state === 'filling') speech.state = 'playing';
      const given = take(speech, out);
      if (speech.state === 'stopping') {
        fadeOut(out, given);
        finish(speech);
      } else if (given < out.length) runDry(speech);
    },
    /** Reports the progress of a turn. */
    report(): void {
      const speech = speeches[0];
      if (speech?.state === 'playing') tell(speech, false);
    },
  };
}

function open(speeches: Speech[], { turnId, toHz }: { turnId: string; toHz: number }): Speech {
  const speech: Speech = {
    turnId,
    resampler: createResampler({ fromHz: speechRateHz, toHz }),
    chunks: [],
    offset: 0,
    waiting: 0,
    broughtMs: 0,
    played: 0,
    gaps: 0,
    state: 'filling',
    hasEnded: false,
  };
  speeches.push(speech);
  return speech;
}

function add(speech: Speech, samples: Float32Array): void {
  if (samples.length === 0) return;
  speech.chunks.push(samples);
  speech.waiting += samples.length;
}

/** Moves samples out; returns their number. */
function take(speech: Speech, out: Float32Array): number {
  let given = 0;
  for (let chunk = speech.chunks[0]; chunk && given < out.length; chunk = speech.chunks[0]) {
    const part = chunk.subarray(speech.offset, speech.offset + out.length - given);
    out.set(part, given);
    given += part.length;
    speech.offset += part.length;
    if (speech.offset < chunk.length) break;
    speech.chunks.shift();
    speech.offset = 0;
  }
  speech.waiting -= given;
  speech.played += given;
  return given;
}

/** Fade out, because a sudden end sounds like a click. */
function fadeOut(out: Float32Array, given: number): void {
  for (let at = 0; at < given; at += 1) out[at] = (out[at] ?? 0) * (1 - (at + 1) / given);
}
