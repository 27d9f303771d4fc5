import {
  constantInts,
  type ModelStep,
  type Numbers,
  type OperatorParts,
  refuse,
  slotAt,
  type TensorSlot,
} from './model-parts.ts';

/** Maximum number of pieces in a concatenation. Wake words use two. */
const maxPieces = 1_000;

/** Copies numbers from the given indexes of the input. */
function moveStep(
  source: Numbers,
  target: Numbers,
  { places, at }: { places: Int32Array; at: number },
): ModelStep {
  const [first = 0] = places;
  const isInRow = places.every((place, n) => place === first + n);
  if (isInRow) {
    const part = source.subarray(first, first + places.length);
    return () => target.set(part, at);
  }
  return () => {
    for (let n = 0; n < places.length; n += 1) target[at + n] = source[places[n] ?? 0] ?? 0;
  };
}

function checkAlike(one: TensorSlot, other: TensorSlot): void {
  const isAlike =
    one.type === other.type &&
    one.quantization?.zeroPoint === other.quantization?.zeroPoint &&
    one.quantization?.scales[0] === other.quantization?.scales[0];
  if (!isAlike) refuse('it joins or cuts tensors of different scales');
}

/** Number of repetitions before an axis, and of consecutive numbers after it. */
function aroundAxis(shape: readonly number[], axis: number) {
  const product = (lengths: readonly number[]) => lengths.reduce((all, length) => all * length, 1);
  return { outer: product(shape.slice(0, axis)), inner: product(shape.slice(axis + 1)) };
}

function axisOf(axis: number, { shape }: TensorSlot): number {
  const counted = axis < 0 ? axis + shape.length : axis;
  return counted >= 0 && counted < shape.length
    ? counted
    : refuse('it is damaged: an axis that does not exist');
}

export function concatenationStep({ inputs, outputs, options }: OperatorParts): ModelStep {
  const output = slotAt(outputs, 0);
  const axis = axisOf(options?.int32(0) ?? 0, output);
  const { outer, inner } = aroundAxis(output.shape, axis);
  const row = (output.shape[axis] ?? 0) * inner;
  if (outer * inputs.length > maxPieces) refuse('it joins tensors of too many pieces');
  const steps: ModelStep[] = [];
  let from = 0;
  for (const input of inputs) {
    checkAlike(input, output);
    const length = (input.shape[axis] ?? 0) * inner;
    if (input.size !== outer * length) refuse('it is damaged: tensors do not fit each other');
    for (let turn = 0; turn < outer; turn += 1) {
      const places = Int32Array.from({ length }, (_, n) => turn * length + n);
      steps.push(moveStep(input.numbers, output.numbers, { places, at: turn * row + from }));
    }
    from += length;
  }
  if (from !== row) refuse('it is damaged: tensors do not fit each other');
  return inOrder(steps);
}

function inOrder(steps: readonly ModelStep[]): ModelStep {
  const [only] = steps;
  if (only && steps.length === 1) return only;
  return () => {
    for (const step of steps) step();
  };
}

/** The axis comes first in `split`, the tensor in `splitV`. */
export function splitStep({ inputs, outputs }: OperatorParts, kind: 'split' | 'splitV'): ModelStep {
  const input = slotAt(inputs, kind === 'split' ? 1 : 0);
  const axis = axisOf(constantInts(slotAt(inputs, kind === 'split' ? 0 : 2))[0] ?? 0, input);
  const { outer, inner } = aroundAxis(input.shape, axis);
  const row = (input.shape[axis] ?? 0) * inner;
  const steps: ModelStep[] = [];
  let from = 0;
  for (const output of outputs) {
    checkAlike(input, output);
    const length = (output.shape[axis] ?? 0) * inner;
    const begin = from;
    if (output.size !== outer * length) refuse('it is damaged: tensors do not fit each other');
    const places = Int32Array.from(
      { length: output.size },
      (_, n) => Math.floor(n / length) * row + begin + (n % length),
    );
    steps.push(moveStep(input.numbers, output.numbers, { places, at: 0 }));
    from += length;
  }
  if (from !== row) refuse('it is damaged: tensors do not fit each other');
  return inOrder(steps);
}

export function stridedSliceStep({ inputs, outputs, options }: OperatorParts): ModelStep {
  const [input, output] = [slotAt(inputs, 0), slotAt(outputs, 0)];
  checkAlike(input, output);
  const [begins, ends, strides] = [1, 2, 3].map((place) => constantInts(slotAt(inputs, place)));
  const [beginMask, endMask] = [options?.int32(0) ?? 0, options?.int32(1) ?? 0];
  if ([2, 3, 4].some((field) => (options?.int32(field) ?? 0) !== 0))
    refuse('it slices tensors in an unknown way');
  const axes = input.shape.map((length, axis) => {
    const bounded = (value: number) => Math.min(length, Math.max(0, value < 0 ? value + length : value));
    const begin = beginMask & (1 << axis) ? 0 : bounded(begins?.[axis] ?? 0);
    const end = endMask & (1 << axis) ? length : bounded(ends?.[axis] ?? length);
    if (strides?.[axis] !== 1) refuse('it slices tensors with gaps');
    return { begin, count: end - begin, length };
  });
  const kept = axes.reduce((product, { count }) => product * Math.max(0, count), 1);
  if (kept !== output.size) refuse('it is damaged: a slice does not fit');
  const places = Int32Array.from({ length: output.size }, (_, n) => {
    let [rest, place, step] = [n, 0, 1];
    for (const { begin, count, length } of axes.toReversed()) {
      place += (begin + (rest % count)) * step;
      rest = Math.floor(rest / count);
      step *= length;
    }
    return place;
  });
  return moveStep(input.numbers, output.numbers, { places, at: 0 });
}

/** Copies a tensor to another of the same size: reshape, read and assign. */
export function copyStep(source: TensorSlot, target: TensorSlot): ModelStep {
  if (source.size !== target.size || source.type !== target.type)
    refuse('it is damaged: tensors do not fit each other');
  return () => target.numbers.set(source.numbers);
}
