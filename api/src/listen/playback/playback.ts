import { bytesPerSample, durationMs, type Pcm } from '../../audio/pcm.ts';
import { createPcmResampler } from '../../audio/resample.ts';
import type { Clock } from '../../clock.ts';
import { audioFormat } from '../events/listen-events.ts';
import { createPace } from './pacing.ts';
import { createPlayedText, playedPartOf } from './played-text.ts';
import { createSlowReaderWatch } from './slow-reader.ts';

/** Length of a piece of sound: short enough to stop at once, long enough to limit the number of frames. */
const pieceMs = 100;
/** Overlap when an answer resumes, because the cut may be in the middle of a word. */
const backMs = 250;
/** Delay before checking a slow reader again. */
const recheckDelayMs = 100;

/** The satellite's loudspeaker. */
export interface Loudspeaker {
  play(samples: Buffer): void;
  /** Bytes that were sent but not read yet. */
  unreadBytes(): number;
  /** Disconnects the satellite, because it has stopped reading. */
  giveUp(): void;
  /** Whether a program only reads this answer. It then gets the words at once, and no sound. */
  isReadOnly?(turnId: string): boolean;
}

/** Something to say. Without sound, no voice was available. Without text, it is not part of the reply. */
export interface SpeechSegment {
  text: string;
  sound: Pcm | null;
}

interface Item extends SpeechSegment {
  lengthMs: number;
  pieces: Iterator<Buffer>;
}

/** An utterance whose playback has begun, at `fromMs` of the reply's sound. */
interface Begun extends Item {
  fromMs: number;
}

export interface PlaybackOptions {
  clock: Clock;
  loudspeaker: Loudspeaker;
  aheadMs: number;
  /** Called before the first sound. */
  onBegin: () => void;
  /** Called just before the sound of these words, which starts playing at clock time `fromMs`. */
  onWords: (words: { text: string; fromMs: number; lengthMs: number }) => void;
  /** Called when everything has been sent. */
  onDrained: () => void;
}

/** Sends speech in order, at the pace of playback. */
export function createPlayback(options: PlaybackOptions) {
  const { clock, loudspeaker, aheadMs, onBegin, onWords, onDrained } = options;
  const pace = createPace({ aheadMs });
  const playedText = createPlayedText();
  const reader = createSlowReaderWatch({ clock, loudspeaker });
  const waiting: Item[] = [];
  /** The latest ones, whose sound may not have been played yet. */
  let begun: Begun[] = [];
  let current: Item | undefined;
  let hasBegun = false;
  let state: 'playing' | 'held' | 'stopped' = 'playing';
  let cancelTimeout = (): void => undefined;

  const isDrained = () => current === undefined && waiting.length === 0;

  const begin = (item: Item): Item => {
    if (!hasBegun && item.lengthMs > 0) {
      hasBegun = true;
      onBegin();
    }
    playedText.add(item.text, pace.sentMs, item.lengthMs);
    const playedMs = pace.playedMs(clock.nowMs());
    const isLeft = (each: Begun) => each.fromMs + each.lengthMs > playedMs - backMs;
    begun = [...begun.filter(isLeft), { ...item, fromMs: pace.sentMs }];
    const fromMs = clock.nowMs() + pace.leftMs(clock.nowMs());
    if (item.text !== '') onWords({ text: item.text, fromMs, lengthMs: item.lengthMs });
    return item;
  };

  const playNext = (): void => {
    const next = current ?? waiting.shift();
    if (next === undefined) return;
    current ??= begin(next);
    const piece = current.pieces.next();
    if (piece.done) {
      current = undefined;
    } else if (piece.value.length > 0) {
      pace.sent(piece.value, clock.nowMs());
      loudspeaker.play(piece.value);
    }
  };

  const pump = (): void => {
    cancelTimeout();
    while (state === 'playing' && !isDrained()) {
      const waitMs = reader.isSlow() ? recheckDelayMs : pace.waitMs(clock.nowMs());
      if (waitMs > 0) {
        later(waitMs);
        return;
      }
      playNext();
    }
    if (state === 'playing') onDrained();
  };
  const later = (ms: number): void => {
    if (state === 'playing') cancelTimeout = clock.after(ms, pump);
  };

  return {
    /** Calls `onDrained` once everything has been sent. */
    drain: pump,
    isDrained,
    add({ text, sound }: SpeechSegment): void {
      if (state === 'stopped') return;
      const lengthMs = sound ? durationMs(sound) : 0;
      waiting.push({ text, sound, lengthMs, pieces: piecesOf(sound) });
      pump();
    },
    /** Pauses sending. Sound that was already sent still plays. */
    hold(): void {
      if (state === 'playing') state = 'held';
    },
    release(): void {
      if (state !== 'held') return;
      state = 'playing';
      pump();
    },
    /** Stops sending and drops the queue. */
    stop(): void {
      state = 'stopped';
      cancelTimeout();
      waiting.length = 0;
      current = undefined;
    },
    /**
     * Returns the unplayed sound, from a little before the position. The clock or a later report of the
     * satellite tells it. Call it before `stop`.
     */
    rest(): (playedMs?: number) => SpeechSegment[] {
      const [nowMs, sent, unsent] = [pace.playedMs(clock.nowMs()), begun, [...waiting]];
      return (playedMs = nowMs) => [
        ...sent.flatMap((each) => restOf(each, playedMs) ?? []),
        ...unsent.map(({ text, sound }) => ({ text, sound })),
      ];
    },
    /** How long the sent sound will still play. */
    leftMs: () => pace.leftMs(clock.nowMs()),
    /** How much sound is queued. */
    waitingMs: () => waiting.reduce((sum, { lengthMs }) => sum + lengthMs, 0),
    get hasBegun() {
      return hasBegun;
    },
    get sentMs() {
      return pace.sentMs;
    },
    /** All words whose playback has begun. */
    get words() {
      return playedText.all;
    },
    /** The words that were played, by the clock or by what the satellite reports. */
    playedText: (playedMs = pace.playedMs(clock.nowMs())) => playedText.until(playedMs),
  };
}

/** The part of an utterance behind this position. Null: all of it was played. */
function restOf({ text, sound, fromMs, lengthMs }: Begun, playedMs: number): SpeechSegment | null {
  if (fromMs + lengthMs <= playedMs) return null;
  const cutMs = Math.max(0, playedMs - backMs - fromMs);
  const words = text.slice(playedPartOf({ text, fromMs, lengthMs }, playedMs).length).trimStart();
  if (sound === null) return { text: words, sound };
  const { sampleRateHz, samples } = sound;
  const at = Math.floor((cutMs / 1_000) * sampleRateHz) * bytesPerSample;
  return { text: words, sound: { sampleRateHz, samples: samples.subarray(at) } };
}

/** Yields speech at the satellite's sample rate, resampled piece by piece. */
function* piecesOf(sound: Pcm | null): Generator<Buffer, undefined> {
  if (sound === null) return;
  const resampler = createPcmResampler({ fromHz: sound.sampleRateHz, toHz: audioFormat.sample_rate_hz });
  const pieceBytes = Math.round((sound.sampleRateHz * pieceMs) / 1_000) * bytesPerSample;
  for (let at = 0; at < sound.samples.length; at += pieceBytes) {
    yield resampler.push(sound.samples.subarray(at, at + pieceBytes));
  }
  yield resampler.end();
}
