import {
  type ModelStep,
  type OperatorParts,
  quantizationOf,
  refuse,
  scaleOf,
  slotAt,
  type TensorSlot,
} from './model-parts.ts';

const bounds = { int8: [-128, 127], uint8: [0, 255] } as const;

function boundsOf({ type }: TensorSlot): readonly [number, number] {
  return type === 'int8' || type === 'uint8' ? bounds[type] : refuse(`it has ${type} instead of int8`);
}

/** Quantizes a number to the scale of a tensor. */
function writer(slot: TensorSlot): (value: number) => number {
  const [low, high] = boundsOf(slot);
  const [scale, { zeroPoint }] = [scaleOf(slot), quantizationOf(slot)];
  return (value) => {
    const scaled = Math.fround(value / scale);
    // Rounds halves away from 0, as in C.
    const rounded = Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5);
    return Math.min(high, Math.max(low, rounded + zeroPoint));
  };
}

/** A function of one 8-bit number, as a table of 256 results. */
function tableStep(input: TensorSlot, output: TensorSlot, change: (value: number) => number): ModelStep {
  const [low, high] = boundsOf(input);
  const [scale, { zeroPoint }] = [scaleOf(input), quantizationOf(input)];
  const write = writer(output);
  const results = Int32Array.from({ length: high - low + 1 }, (_, n) =>
    write(change(Math.fround(scale * (low + n - zeroPoint)))),
  );
  const [source, target] = [input.numbers, output.numbers];
  return () => {
    for (let n = 0; n < target.length; n += 1) target[n] = results[(source[n] ?? 0) - low] ?? 0;
  };
}

function sameSize({ inputs, outputs }: OperatorParts): readonly [TensorSlot, TensorSlot] {
  const [input, output] = [slotAt(inputs, 0), slotAt(outputs, 0)];
  return input.size === output.size
    ? [input, output]
    : refuse('it is damaged: tensors do not fit each other');
}

export function logisticStep(parts: OperatorParts): ModelStep {
  const [input, output] = sameSize(parts);
  return tableStep(input, output, (value) => 1 / (1 + Math.exp(-value)));
}

export function quantizeStep(parts: OperatorParts): ModelStep {
  const [input, output] = sameSize(parts);
  if (input.type !== 'float32') return tableStep(input, output, (value) => value);
  const write = writer(output);
  const [source, target] = [input.numbers, output.numbers];
  return () => {
    for (let n = 0; n < target.length; n += 1) target[n] = write(source[n] ?? 0);
  };
}

export function dequantizeStep(parts: OperatorParts): ModelStep {
  const [input, output] = sameSize(parts);
  if (output.type !== 'float32') refuse(`it has ${output.type} instead of float32`);
  boundsOf(input);
  const [scale, { zeroPoint }] = [scaleOf(input), quantizationOf(input)];
  const [source, target] = [input.numbers, output.numbers];
  return () => {
    for (let n = 0; n < target.length; n += 1) target[n] = ((source[n] ?? 0) - zeroPoint) * scale;
  };
}
