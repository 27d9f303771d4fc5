import { resamplePieces } from './resample.ts';
import { channelPieces, countFrames, type RawSound } from './sample-coding.ts';
import { speechFrames } from './speech-check.ts';
import { speechRateHz } from './speech-rate.ts';
import type { Vad } from './vad.ts';

/**
 * Frames of a recording that are compared: enough to be certain, few enough for a recording of any length.
 */
const maxFramesCompared = 200_000;
/** Channels that correlate this closely hold the same sound; their mean is the best of it. */
const sameSound = 0.9;
/** One side of a cable or microphone with swapped wires. Different sounds stay near zero. */
const turnedOver = -0.3;
/**
 * A channel takes part if it has a tenth of the speech of the one with the most: people take turns, one to a
 * channel.
 */
const minShareOfSpeech = 0.1;
const surelySpeech = 0.5;
/** Louder than this, a quiet channel brings its noise along. */
const maxGain = 16;

/** How much of each channel goes into the one that is heard. Takes sound with any number of channels. */
export type ChannelWeigher = (sound: RawSound, signal: AbortSignal) => Promise<readonly number[]>;

/** The mean of all channels. */
export const equalWeights = ({ channels }: Pick<RawSound, 'channels'>): number[] =>
  Array.from({ length: channels }, () => 1 / channels);

interface ChannelStats {
  level: number;
  /** -1 where the channel is the reverse of the loudest one. */
  sign: number;
  /** Correlation with the loudest channel, without its sign. */
  likeness: number;
}

/**
 * The plain mean loses speech: of two opposite channels nothing is left, and loud playback in one covers a
 * quiet voice in another. So channels are turned to the same sign, and where they differ, those with speech
 * are brought to the same loudness and the others left out.
 */
export function createChannelWeigher({ vad }: { vad: Vad }): ChannelWeigher {
  return async (sound, signal) => {
    if (sound.channels === 1) return [1];
    const stats = compareChannels(sound);
    const sounding = stats.filter(({ level }) => level > 0);
    const areSame = sounding.every(({ likeness }) => likeness >= sameSound);
    if (areSame) return stats.map(({ level, sign }) => (level > 0 ? sign / sounding.length : 0));
    const spoken: number[] = [];
    for (const [channel, { level }] of stats.entries()) {
      spoken.push(level > 0 ? await countSpeechFrames(vad, sound, { channel, signal }) : 0);
    }
    return weightsBySpeech(stats, spoken);
  };
}

/**
 * Weights for sound that comes in pieces: channels are turned to the sign of the one that was loudest so far, and silent ones are left out. Speech cannot
 * decide, because nobody knows yet where it will be.
 */
export function createRunningWeights(): (piece: RawSound) => readonly number[] {
  let products: number[][] = [];
  return (piece) => {
    products = equalWeights(piece).map((_, other) => {
      const sums = sumsOf(piece, (_value, frame) => frame[other] ?? 0);
      return sums.map((sum, channel) => sum + (products[other]?.[channel] ?? 0));
    });
    const energies = products.map((sums, channel) => sums[channel] ?? 0);
    const stats = statsOf(energies, (loudest) => products[loudest] ?? []);
    const sounding = stats.filter(({ level }) => level > 0).length;
    return stats.map(({ level, sign }) => (level > 0 ? sign / sounding : 0));
  };
}

function weightsBySpeech(stats: readonly ChannelStats[], spoken: readonly number[]): number[] {
  const most = Math.max(...spoken);
  const takesPart = stats.map(
    ({ level }, channel) => level > 0 && (spoken[channel] ?? 0) >= most * minShareOfSpeech,
  );
  const levels = stats.filter((_, channel) => takesPart[channel]).map(({ level }) => level);
  // Without speech in any of them, there is nothing to bring to the same loudness.
  const loudest = most > 0 ? Math.max(...levels) : 0;
  return stats.map(({ level, sign }, channel) => {
    if (!takesPart[channel]) return 0;
    const gain = Math.max(1, Math.min(maxGain, loudest / level));
    return (sign * gain) / levels.length;
  });
}

function compareChannels(sound: RawSound): ChannelStats[] {
  const energies = sumsOf(sound, (value) => value);
  return statsOf(energies, (loudest) => sumsOf(sound, (_, frame) => frame[loudest] ?? 0));
}

/** `productsWith` returns the sum of each channel times this one. */
function statsOf(
  energies: readonly number[],
  productsWith: (channel: number) => readonly number[],
): ChannelStats[] {
  const loudest = energies.indexOf(Math.max(...energies));
  const products = productsWith(loudest);
  return energies.map((energy, channel) => {
    const both = Math.sqrt(energy * (energies[loudest] ?? 0));
    const correlation = both > 0 ? (products[channel] ?? 0) / both : 0;
    return {
      level: Math.sqrt(energy),
      sign: correlation <= turnedOver ? -1 : 1,
      likeness: Math.abs(correlation),
    };
  });
}

/** For each channel, the sum of its samples times another value of the same frame. */
function sumsOf(sound: RawSound, times: (value: number, frame: readonly number[]) => number): number[] {
  const { channels, coding, data } = sound;
  const frames = countFrames(sound);
  const step = Math.max(1, Math.floor(frames / maxFramesCompared));
  const sums = Array.from({ length: channels }, () => 0);
  const values = [...sums];
  for (let at = 0; at < frames; at += step) {
    for (let channel = 0; channel < channels; channel += 1) {
      values[channel] = coding.read(data, (at * channels + channel) * coding.bytes);
    }
    for (const [channel, value] of values.entries())
      sums[channel] = (sums[channel] ?? 0) + value * times(value, values);
  }
  return sums;
}

async function countSpeechFrames(
  vad: Vad,
  sound: RawSound,
  { channel, signal }: { channel: number; signal: AbortSignal },
): Promise<number> {
  const pieces = channelPieces(sound, only(channel, sound.channels));
  const heard = await resamplePieces(pieces, { fromHz: sound.sampleRateHz, toHz: speechRateHz });
  const stream = vad.open();
  let count = 0;
  for (const frame of speechFrames(heard)) {
    signal.throwIfAborted();
    if ((await stream.speech(frame)) >= surelySpeech) count += 1;
  }
  return count;
}

const only = (chosen: number, channels: number): number[] =>
  Array.from({ length: channels }, (_, channel) => (channel === chosen ? 1 : 0));
