import { resamplePieces } from './resample.ts';
import { channelPieces, countFrames, type RawSound } from './sample-coding.ts';
import { speechFrames } from './speech-check.ts';
import { speechRateHz } from './speech-rate.ts';
import type { Vad } from './vad.ts';

/** Maximum frames to compare: enough for a reliable result, few enough for long recordings. */
const maxFramesCompared = 200_000;
/** Channels with at least this correlation hold the same sound, and their mean is best. */
const sameSound = 0.9;
/** At most this correlation: one channel has swapped wires. Different sounds correlate near zero. */
const turnedOver = -0.3;
/**
 * Speech in a channel, relative to the channel with the most, for it to count. People may take turns, one per
 * channel.
 */
const minShareOfSpeech = 0.1;
const surelySpeech = 0.5;
/** More gain would amplify a quiet channel's noise too much. */
const maxGain = 16;

/** Weights for mixing the channels into one. Accepts any number of channels. */
export type ChannelWeigher = (sound: RawSound, signal: AbortSignal) => Promise<readonly number[]>;

/** The mean of all channels. */
export const equalWeights = ({ channels }: Pick<RawSound, 'channels'>): number[] =>
  Array.from({ length: channels }, () => 1 / channels);

interface ChannelStats {
  level: number;
  /** -1 if the channel is the inverse of the reference. */
  sign: number;
  /** Absolute correlation with the reference. */
  likeness: number;
}

/**
 * The plain mean loses speech: opposite channels cancel out, and loud playback in one covers a quiet voice in
 * another. So channels first get the same sign. If they differ, those with speech get the same loudness and
 * the others are left out.
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
    // A loud channel without the voice says nothing about the signs of those with it.
    return weightsBySpeech(compareChannels(sound, spoken.indexOf(Math.max(...spoken))), spoken);
  };
}

/**
 * Weights for streamed sound. Gives channels the sign of the loudest so far and leaves silent ones out.
 * Speech cannot decide, because it may still start in any channel.
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
  const maxVoiced = Math.max(...spoken);
  const takesPart = stats.map(
    ({ level }, channel) => level > 0 && (spoken[channel] ?? 0) >= maxVoiced * minShareOfSpeech,
  );
  const levels = stats.filter((_, channel) => takesPart[channel]).map(({ level }) => level);
  // Without speech in any channel, no loudness can be matched.
  const loudest = maxVoiced > 0 ? Math.max(...levels) : 0;
  return stats.map(({ level, sign }, channel) => {
    if (!takesPart[channel]) return 0;
    const gain = Math.max(1, Math.min(maxGain, loudest / level));
    return (sign * gain) / levels.length;
  });
}

/** Compares each channel with one of them, by default the loudest. */
function compareChannels(sound: RawSound, reference?: number): ChannelStats[] {
  const energies = sumsOf(sound, (value) => value);
  return statsOf(energies, (channel) => sumsOf(sound, (_, frame) => frame[channel] ?? 0), reference);
}

/** `productsWith` returns the sums of each channel times this one. */
function statsOf(
  energies: readonly number[],
  productsWith: (channel: number) => readonly number[],
  reference = energies.indexOf(Math.max(...energies)),
): ChannelStats[] {
  const products = productsWith(reference);
  return energies.map((energy, channel) => {
    const both = Math.sqrt(energy * (energies[reference] ?? 0));
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
  const resampled = await resamplePieces(pieces, { fromHz: sound.sampleRateHz, toHz: speechRateHz });
  const stream = vad.open();
  let count = 0;
  for (const frame of speechFrames(resampled)) {
    signal.throwIfAborted();
    if ((await stream.speech(frame)) >= surelySpeech) count += 1;
  }
  return count;
}

const only = (chosen: number, channels: number): number[] =>
  Array.from({ length: channels }, (_, channel) => (channel === chosen ? 1 : 0));
