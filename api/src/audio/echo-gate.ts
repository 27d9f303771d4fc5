import { createLikeness } from './likeness.ts';
import { bytesPerSample, toNumbers } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

/** Length of the compared sound in samples. Less is unreliable, more takes too long to arrive. */
const comparedSamples = 2_048;
/** Maximum delay from sending sound to hearing it back: network, the satellite's buffer, the room. */
const maxLag = 1.5 * speechRateHz;
/** Once found, the lag changes only by the drift between two clocks. */
const maxDrift = 64;
/**
 * Minimum correlation of an echo. Another voice reaches `anywhere` in 5% of checks; at the known lag it stays
 * below 0.15.
 */
const alike = { anywhere: 0.25, thereAgain: 0.22 };
/** Sound is sent up to 2 s before it is played. */
const keptSamples = 8 * speechRateHz;

/**
 * Recognizes the assistant's own voice when it returns through a satellite without echo cancellation. If a
 * person speaks over it, the louder one counts. Positions are samples of the microphone's stream.
 */
export function createEchoGate() {
  const played = createPlayed();
  const search = createLikeness(32_768);
  const lookAgain = createLikeness(4_096);
  /** Samples from sending to hearing, once found twice in a row. */
  let lag: number | null = null;
  /** A lag found once. It may be an accident, which does not repeat a frame later. */
  let maybeLag: number | null = null;
  /** A single check without a match, after one with a match, means little: a breath or a quiet sound. */
  let wasThere = false;

  const compare = (
    how: typeof search,
    sound: Float64Array,
    place: { at: number; from: number; to: number },
  ) => {
    const { at, from, to } = place;
    const { value, place: found } = how(sound, played.between(at - to, at - from + sound.length));
    return { value, lag: to - found };
  };

  const isThere = (sound: Float64Array, at: number, expected: number | null): boolean => {
    if (expected === null) return false;
    const found = compare(lookAgain, sound, { at, from: expected - maxDrift, to: expected + maxDrift });
    if (found.value >= alike.thereAgain) lag = found.lag;
    return found.value >= alike.thereAgain;
  };

  const isEcho = (sound: Float64Array, at: number): boolean => {
    const [expected, wasEcho] = [maybeLag, wasThere];
    maybeLag = null;
    wasThere = isThere(sound, at, lag) || isThere(sound, at, expected);
    if (wasThere || wasEcho) return true;
    if (expected !== null) return false;
    const found = compare(search, sound, { at, from: 0, to: maxLag });
    if (found.value >= alike.anywhere) maybeLag = found.lag;
    return maybeLag !== null;
  };

  return {
    /** Sound was sent. It plays after earlier sound, and not before `now`. */
    play: (samples: Buffer, now: number) => played.add(toNumbers(samples), now),
    /** Sound not played by now will not play. */
    stop: (now: number) => played.cut(now),
    /** Whether played sound may still return. */
    mayComeBack: (now: number): boolean => played.until > 0 && now < played.until + maxLag,
    /** Whether the end of a recording, up to a position, is played sound. */
    isEcho(recorded: Buffer, until: number): boolean {
      const sound = Float64Array.from(toNumbers(recorded.subarray(-comparedSamples * bytesPerSample)));
      return isEcho(sound, until - sound.length);
    },
  };
}

/** The played sound by position; silence in the gaps. */
function createPlayed() {
  const ring = new Int16Array(keptSamples);
  /** Everything before this position is written. */
  let until = 0;
  const silence = (from: number, to: number) => {
    for (let at = Math.max(from, to - keptSamples); at < to; at += 1) ring[at % keptSamples] = 0;
  };

  return {
    get until(): number {
      return until;
    },
    add(samples: Int16Array, now: number): void {
      if (now > until) silence(until, now);
      until = Math.max(until, now);
      for (const [index, sample] of samples.entries()) ring[(until + index) % keptSamples] = sample;
      until += samples.length;
    },
    cut(now: number): void {
      until = Math.min(until, now);
    },
    between(from: number, to: number): Float64Array {
      const isKept = (at: number) => at >= 0 && at < until && at >= until - keptSamples;
      return Float64Array.from({ length: to - from }, (_, index) =>
        isKept(from + index) ? (ring[(from + index) % keptSamples] ?? 0) : 0,
      );
    },
  };
}
