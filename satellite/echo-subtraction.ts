import { createEchoAlignment } from './echo-alignment.ts';
import { createEchoDelay } from './echo-delay.ts';
import { createEchoFilter, hopSamples } from './echo-filter.ts';

/** The longest delay that is found is 600 ms; a frame more. */
const keptSamples = 10_240;
/** The filter begins so much before the echo, because the delay is not known exactly: 5 ms. */
const leadSamples = 80;

/** `unknown`: when does it come back? `aligning`: does it come back as late as the last time? */
type State = 'unknown' | 'aligning' | 'known';

export interface Subtracted {
  state: State;
  /** What is played, as late as it comes back. */
  playing: Float64Array;
  /** What is heard without it; null: the delay is not known for sure. */
  sound: Float64Array | null;
}

export type EchoSubtraction = ReturnType<typeof createEchoSubtraction>;

/** Takes what is played out of what is heard by subtracting it alone, as late and as changed by the room as it comes back. */
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
  const find = (playing: Float64Array, heard: Float64Array): void => {
    const delay = finder.push(playing, heard);
    if (delay === null) return;
    offset = Math.max(0, delay - leadSamples);
    filter.doubt();
    state = 'known';
  };
  /** The room is the same as the last time, but a sound card begins sooner or later each time. */
  const align = (heard: Float64Array, echo: Float64Array): void => {
    const result = alignment.push(heard, echo);
    if (result === null) return;
    state = result === 'lost' ? 'unknown' : 'known';
    if (result === 'lost') finder = createEchoDelay();
    else offset = Math.max(0, Math.min(keptSamples - heard.length, offset + result));
  };
  const late = (length: number): Float64Array =>
    past.subarray(keptSamples - offset - length, keptSamples - offset);
  const subtract = (playing: Float64Array, heard: Float64Array): Float64Array => {
    const cleaned = new Float64Array(heard.length);
    for (let at = 0; at < heard.length; at += hopSamples) {
      const [sent, came] = [playing, heard].map((sound) => sound.subarray(at, at + hopSamples));
      if (sent && came) cleaned.set(filter.clean(sent, came, state === 'known'), at);
    }
    return cleaned;
  };

  return {
    /** A sound begins, after none. */
    begin(): void {
      if (state !== 'known') return;
      state = 'aligning';
      alignment = createEchoAlignment();
    },
    /** Both of the same length, in whole hops. */
    clean(playing: Float64Array, heard: Float64Array): Subtracted {
      remember(playing);
      if (state === 'unknown') find(playing, heard);
      const aligned = late(heard.length);
      if (state === 'unknown') return { state, playing: aligned, sound: null };
      const sound = subtract(aligned, heard);
      if (state === 'known') return { state, playing: aligned, sound };
      align(
        heard,
        heard.map((sample, n) => sample - (sound[n] ?? 0)),
      );
      return { state: 'aligning', playing: aligned, sound: null };
    },
    /** It has made things worse: the way has changed. */
    doubt: (): void => filter.doubt(),
  };
}
