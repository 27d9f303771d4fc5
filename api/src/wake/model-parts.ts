import type { FlatBufferTable } from './flat-buffer.ts';
import type { Quantization, Tensor } from './tflite-file.ts';
import { UnreadableModel } from './unreadable-model.ts';

export type Numbers = Int8Array | Uint8Array | Int32Array | Float32Array;

/** A tensor with its memory at run time. */
export interface TensorSlot extends Tensor {
  numbers: Numbers;
}

/** Runs one operator. It allocates no memory. */
export type ModelStep = () => void;

/** The tensors and options of an operator. */
export interface OperatorParts {
  inputs: readonly TensorSlot[];
  outputs: readonly TensorSlot[];
  options: FlatBufferTable | null;
}

export function refuse(reason: string): never {
  throw new UnreadableModel(reason);
}

/** A required input or output. */
export function slotAt(slots: readonly TensorSlot[], place: number): TensorSlot {
  return slots[place] ?? refuse('it is damaged: an operator lacks an input or output');
}

export function int8Of(slot: TensorSlot): Int8Array {
  return slot.numbers instanceof Int8Array ? slot.numbers : refuse(`it computes with ${slot.type}, not int8`);
}

export function int32Of(slot: TensorSlot): Int32Array {
  return slot.numbers instanceof Int32Array ? slot.numbers : refuse(`it has ${slot.type} instead of int32`);
}

export function quantizationOf(slot: TensorSlot): Quantization {
  return slot.quantization ?? refuse('it is damaged: a tensor of whole numbers has no scale');
}

/** The scale of a tensor without per-channel scales. */
export function scaleOf(slot: TensorSlot): number {
  const { scales } = quantizationOf(slot);
  const [scale] = scales;
  return scale !== undefined && scales.length === 1 ? scale : refuse('a tensor has several scales');
}

/** A constant parameter of an operator, such as the start of a slice. */
export function constantInts(slot: TensorSlot): Int32Array {
  return slot.constant === null
    ? refuse('its operators need parameters that are not constant')
    : int32Of(slot);
}

/** Adding and subtracting this rounds a double to an integer, with halves to even. */
const roundingNumber = 1.5 * 2 ** 52;
export function roundToEven(value: number): number {
  return value + roundingNumber - roundingNumber;
}
