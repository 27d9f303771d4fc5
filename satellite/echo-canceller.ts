import type { AEC3 } from '@ennuicastr/webrtcaec3.js';
import { createEchoAbsence } from './echo-absence.ts';
import { createEchoGuard } from './echo-guard.ts';
import { createEchoSubtraction } from './echo-subtraction.ts';
import type { Loudspeaker, Speech } from './loudspeaker.ts';
import { createPlayedSound } from './played-sound.ts';
import { bytesPerMs, sampleRateHz } from './wav.ts';

/**
 * Maximum time in which playback may return: sound card, air and reverberation. The canceller finds up to
 * half a second.
 */
const echoMs = 1_000;
/** Playback after this much silence is a new reply, which a sound card may start earlier or later. */
const pauseMs = 300;
/**
 * Until the echo's delay is known, playback mutes the microphone. This is the limit, because an echo may
 * never come.
 */
const maxStrangeMs = 3_000;

export interface EchoCanceller {
  /** Wraps the loudspeaker, so that its playback is removed from the microphone's sound. */
  around(loudspeaker: Loudspeaker): Loudspeaker;
  /**
   * Returns a 20 ms microphone frame without the echo; unchanged while nothing plays. If a person turns out
   * to have begun earlier, the result is longer and includes that beginning.
   */
  clean(frame: Buffer): Buffer;
}

/** Loads WebRTC's AEC3; null if its package is not installed. */
export async function loadEchoCanceller(): Promise<EchoCanceller | null> {
  const library = await import('@ennuicastr/webrtcaec3.js').catch(() => null);
  if (!library) return null;
  const { AEC3: Canceller } = await library.default();
  return createEchoCanceller(new Canceller(sampleRateHz, 1, 1));
}

type Aec = Pick<AEC3, 'analyze' | 'process' | 'processSize'>;

function createEchoCanceller(aec: Aec): EchoCanceller {
  const played = createPlayedSound();
  const subtraction = createEchoSubtraction();
  const absence = createEchoAbsence();
  const guard = createEchoGuard({ onWorse: subtraction.doubt });
  let leftMs = 0;
  let strangeMs = maxStrangeMs;

  const suppress = (playing: Float64Array, captured: Float64Array): Float64Array => {
    const sound = [Float32Array.from(captured)];
    aec.analyze([Float32Array.from(playing)]);
    const cleaned = new Float32Array(aec.processSize(sound));
    aec.process([cleaned], sound);
    return Float64Array.from(cleaned);
  };
  const take = (sound: Buffer, frame: Buffer): Buffer => {
    const [sent, captured] = [toFloats(sound), toFloats(frame)];
    const { state, playing, sound: subtracted } = subtraction.clean(sent, captured);
    strangeMs = state === 'unknown' ? strangeMs - frame.length / bytesPerMs : maxStrangeMs;
    if (state === 'unknown' && absence.isFree(sent, captured)) return frame;
    // AEC3 would learn a wrong echo path.
    if (state === 'aligning' || (state === 'unknown' && strangeMs > 0)) return Buffer.alloc(frame.length);
    const suppressed = suppress(playing, captured);
    return Buffer.concat(guard.choose({ captured, suppressed, subtracted }).map(toSamples));
  };

  return {
    around: (loudspeaker) => ({
      ...loudspeaker,
      begin: () => heardAlong(loudspeaker.begin(), played.begin()),
    }),
    clean(frame) {
      const sound = played.next(frame.length);
      const isBeginning = sound !== null && leftMs <= echoMs - pauseMs;
      if (isBeginning) subtraction.begin();
      if (isBeginning) guard.begin();
      if (isBeginning) absence.begin();
      // Without an echo, the canceller would only distort the person's voice.
      leftMs = sound ? echoMs : leftMs - frame.length / bytesPerMs;
      if (leftMs > 0) return take(sound ?? Buffer.alloc(frame.length), frame);
      absence.quiet(toFloats(frame));
      return frame;
    },
  };
}

function heardAlong(speech: Speech, played: Pick<Speech, 'play' | 'stop'>): Speech {
  return {
    ...speech,
    play(samples) {
      speech.play(samples);
      played.play(samples);
    },
    stop() {
      speech.stop();
      played.stop();
    },
  };
}

function toFloats(samples: Buffer): Float64Array {
  return Float64Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(2 * at) / 32_768);
}

function toSamples(sound: Float64Array): Buffer {
  const samples = Buffer.alloc(2 * sound.length);
  for (const [at, value] of sound.entries())
    samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))), 2 * at);
  return samples;
}
