import { createEchoAlignment } from './echo-alignment.ts';
import { createEchoDelay } from './echo-delay.ts';
import { createEchoFilter, hopSamples } from './echo-filter.ts';

/** The longest delay (600 ms) plus one frame. */
const keptSamples = 10_240;
/** The filter starts this long before the echo, because the delay is inexact: 5 ms. */
const leadSamples = 80;

/** `unknown`: the delay is unknown. `aligning`: it checks whether the delay equals the last one. */
type State = 'unknown' | 'aligning' | 'known';

interface Subtracted {
  state: State;
  /** The playback, delayed like its echo. */
  playing: Float64Array;
  /** The heard sound without the echo; null while the delay is uncertain. */
  sound: Float64Array | null;
}

/** Removes the echo by subtraction alone, with the measured delay and the learned room. */
export function createEchoSubtraction() {
  const filter = createEchoFilter();
  const past = new Float64Array(keptSamples);
  let finder = createEchoDelay();
  let alignment = createEchoAlignment();
  let state: State = 'unknown';
  let offset = 0;

  const remember = (playing: Float64Array): void => {
    past.copyWithin(0, playing.length);
    past.set(playing, keptSamples - playing.length);
  };
  const find = (playing: Float64Array, captured: Float64Array): void => {
    const delay = finder.push(playing, captured);
    if (delay === null) return;
    offset = Math.max(0, delay - leadSamples);
    filter.doubt();
    state = 'known';
  };
  /** The room is unchanged since the last time, but a sound card's start time varies. */
  const align = (captured: Float64Array, echo: Float64Array): void => {
    const result = alignment.push(captured, echo);
    if (result === null) return;
    state = result === 'lost' ? 'unknown' : 'known';
    if (result === 'lost') finder = createEchoDelay();
    else offset = Math.max(0, Math.min(keptSamples - captured.length, offset + result));
  };
  const late = (length: number): Float64Array =>
    past.subarray(keptSamples - offset - length, keptSamples - offset);
  const subtract = (playing: Float64Array, captured: Float64Array): Float64Array => {
    const cleaned = new Float64Array(captured.length);
    for (let at = 0; at < captured.length; at += hopSamples) {
      const [sent, came] = [playing, captured].map((sound) => sound.subarray(at, at + hopSamples));
      if (sent && came) cleaned.set(filter.clean(sent, came, state === 'known'), at);
    }
    return cleaned;
  };

  return {
    /** Starts a new playback after silence. */
    begin(): void {
      if (state !== 'known') return;
      state = 'aligning';
      alignment = createEchoAlignment();
    },
    /** Takes two sounds of the same length, in whole hops. */
    clean(playing: Float64Array, captured: Float64Array): Subtracted {
      remember(playing);
      if (state === 'unknown') find(playing, captured);
      const aligned = late(captured.length);
      if (state === 'unknown') return { state, playing: aligned, sound: null };
      const sound = subtract(aligned, captured);
      if (state === 'known') return { state, playing: aligned, sound };
      align(
        captured,
        captured.map((sample, n) => sample - (sound[n] ?? 0)),
      );
      return { state: 'aligning', playing: aligned, sound: null };
    },
    /** Call this when subtraction made the sound worse: the echo path has changed. */
    doubt: (): void => filter.doubt(),
  };
}
