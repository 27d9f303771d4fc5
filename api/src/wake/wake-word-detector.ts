import {
  createMicroFrontend,
  featureScale,
  featuresPerFrame,
  type MicroFrontend,
  wakeSampleRateHz,
} from './micro-frontend.ts';
import { roundToEven } from './model-parts.ts';
import { type LoadedModel, loadWakeModel, type StreamingModel } from './streaming-model.ts';
import type { WakeWord } from './wake-word.ts';

/** A detected word. */
export interface WakeHit {
  word: string;
  /** Its end in ms from the start of the stream. */
  atMs: number;
  /** The mean probability at that time. */
  score: number;
  /** `perhaps`: only above the lower threshold, so it needs confirmation. A `sure` hit may follow. */
  certainty: 'perhaps' | 'sure';
}

/** The output of a model for one step. */
export interface WakeStep {
  word: string;
  atMs: number;
  probability: number;
  /** The mean of the last probabilities. 0 until there are enough. */
  score: number;
}

interface WakeWordOptions {
  /** The lower threshold, capped at the word's own threshold. */
  perhapsAbove?: number;
  /** Overrides the thresholds of words, by id. */
  sureAbove?: Readonly<Record<string, number>>;
  /** After a hit, the word is ignored for this time, and until its score has dropped. */
  refractoryMs?: number;
  /** For tests and measurements: called for every probability. */
  onStep?: (step: WakeStep) => void;
}

const defaults = { perhapsAbove: 0.5, refractoryMs: 1_500 };
/** Features are quantized by a table. Larger features use the last entry. */
const featureTableSize = 2_048;
/** Samples converted at once. */
const pieceSamples = 1_600;

/**
 * Detects words in one stream of sound. Its memory is constant, and time is counted in samples, without a
 * clock. The constructor throws `UnreadableModel` for an unsupported model; later calls never do.
 */
export class WakeWordDetector {
  readonly #streams: readonly { frontend: MicroFrontend; listeners: readonly WordListener[] }[];
  readonly #piece = new Int16Array(pieceSamples);
  #samples = 0;

  constructor(words: readonly WakeWord[], options: WakeWordOptions = {}) {
    const byStep = Map.groupBy(words, ({ stepMs }) => stepMs);
    this.#streams = [...byStep].map(([stepMs, ofStep]) => ({
      frontend: createMicroFrontend(stepMs),
      listeners: ofStep.map((word) => new WordListener(word, options)),
    }));
  }

  /** Takes any number of 16 kHz samples, as integers or as floats from -1 to 1. Returns the hits in order. */
  push(samples: Int16Array | Float32Array): WakeHit[] {
    const hits: WakeHit[] = [];
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const piece = samples.subarray(at, at + pieceSamples);
      this.#pushPiece(piece instanceof Int16Array ? piece : this.#converted(piece), hits);
    }
    return hits;
  }

  /** Resets the state. The stream time continues. */
  reset(): void {
    for (const { frontend, listeners } of this.#streams) {
      frontend.reset();
      for (const listener of listeners) listener.reset();
    }
  }

  #pushPiece(piece: Int16Array, hits: WakeHit[]): void {
    for (const { frontend, listeners } of this.#streams) {
      frontend.push(piece, (features, samplesTaken) => {
        const atMs = ((this.#samples + samplesTaken) * 1_000) / wakeSampleRateHz;
        for (const listener of listeners) listener.take(features, atMs, hits);
      });
    }
    this.#samples += piece.length;
  }

  #converted(floats: Float32Array): Int16Array {
    for (let n = 0; n < floats.length; n += 1) {
      const value = Math.round((floats[n] ?? 0) * 32_768);
      this.#piece[n] = Math.max(-32_768, Math.min(32_767, value));
    }
    return this.#piece.subarray(0, floats.length);
  }
}

/** The shared part of all streams of a word. */
interface SharedWord {
  model: LoadedModel;
  /** The quantized value of each feature. */
  table: Int8Array;
}

/** By the bytes of the model's file. */
const sharedWords = new WeakMap<Uint8Array, SharedWord>();

function sharedWordOf({ model: file }: WakeWord): SharedWord {
  const known = sharedWords.get(file);
  if (known) return known;
  const model = loadWakeModel(file);
  const shared = { model, table: featureTable(model.open()) };
  sharedWords.set(file, shared);
  return shared;
}

/** The detector of one word: model, recent probabilities and thresholds. */
class WordListener {
  readonly #id: string;
  readonly #model: StreamingModel;
  readonly #table: Int8Array;
  readonly #sureAbove: number;
  readonly #perhapsAbove: number;
  readonly #refractoryMs: number;
  readonly #onStep: ((step: WakeStep) => void) | undefined;
  readonly #latest: Float64Array;
  #runs = 0;
  #frames = 0;
  /** The best hit since the word was last quiet. */
  #detected: 'nothing' | 'perhaps' | 'sure' = 'nothing';
  #quietUntilMs = 0;

  constructor(word: WakeWord, options: WakeWordOptions) {
    this.#id = word.id;
    const { model, table } = sharedWordOf(word);
    this.#model = model.open();
    this.#table = table;
    this.#sureAbove = options.sureAbove?.[word.id] ?? word.cutoff;
    this.#perhapsAbove = Math.min(options.perhapsAbove ?? defaults.perhapsAbove, this.#sureAbove);
    this.#refractoryMs = options.refractoryMs ?? defaults.refractoryMs;
    this.#onStep = options.onStep;
    this.#latest = new Float64Array(word.windowSize);
  }

  take(features: Uint16Array, atMs: number, hits: WakeHit[]): void {
    const { input, frames } = this.#model;
    const from = this.#frames * featuresPerFrame;
    for (let n = 0; n < featuresPerFrame; n += 1) {
      const feature = features[n] ?? 0;
      input[from + n] = this.#table[feature < featureTableSize ? feature : featureTableSize - 1] ?? 0;
    }
    this.#frames += 1;
    if (this.#frames < frames) return;
    this.#frames = 0;
    this.#judge(this.#model.run(), atMs, hits);
  }

  reset(): void {
    this.#model.reset();
    this.#latest.fill(0);
    this.#runs = 0;
    this.#frames = 0;
    this.#detected = 'nothing';
  }

  #judge(probability: number, atMs: number, hits: WakeHit[]): void {
    const size = this.#latest.length;
    this.#latest[this.#runs % size] = probability;
    this.#runs += 1;
    let sum = 0;
    for (let n = 0; n < size; n += 1) sum += this.#latest[n] ?? 0;
    const score = this.#runs < size ? 0 : sum / size;
    this.#onStep?.({ word: this.#id, atMs, probability, score });

    if (score <= this.#perhapsAbove) {
      if (atMs >= this.#quietUntilMs) this.#detected = 'nothing';
      return;
    }
    const certainty = score > this.#sureAbove ? 'sure' : 'perhaps';
    if (this.#detected === 'sure' || this.#detected === certainty) return;
    this.#detected = certainty;
    this.#quietUntilMs = atMs + this.#refractoryMs;
    hits.push({ word: this.#id, atMs, score, certainty });
  }
}

/** The quantized value of each feature for a model's input. */
function featureTable({ scale, zeroPoint }: StreamingModel): Int8Array {
  return Int8Array.from({ length: featureTableSize }, (_, feature) => {
    const value = roundToEven((feature * featureScale) / scale + zeroPoint);
    return Math.min(127, Math.max(-128, value));
  });
}
