import { conv2dStep, depthwiseConv2dStep, fullyConnectedStep, productsOf } from './convolution.ts';
import {
  int8Of,
  type ModelStep,
  type Numbers,
  type OperatorParts,
  quantizationOf,
  refuse,
  scaleOf,
  slotAt,
  type TensorSlot,
} from './model-parts.ts';
import { concatenationStep, copyStep, splitStep, stridedSliceStep } from './rearrangement.ts';
import { dequantizeStep, logisticStep, quantizeStep } from './scale-change.ts';
import {
  type Graph,
  type Operator,
  type OperatorName,
  readTfliteFile,
  type Tensor,
  type TfliteFile,
} from './tflite-file.ts';

/** A model on its way through one stream of sound: it remembers what it needs of the past. */
export interface StreamingModel {
  /** Sets of features that it takes at a time, and numbers in each. */
  frames: number;
  features: number;
  /** How features become the numbers of `input`. */
  scale: number;
  zeroPoint: number;
  /** To be filled before a run. */
  input: Int8Array;
  /** The probability that the word has just been said, from 0 to 1. */
  run(): number;
  /** Forgets the past. */
  reset(): void;
}

/** Memory that outlasts a run, by its name in the file. */
interface Variable {
  first: TensorSlot;
  slot: TensorSlot;
}

/** Reads a `.tflite` file of microWakeWord and makes everything ready that its runs need. */
export function createStreamingModel(file: Uint8Array): StreamingModel {
  const read = readTfliteFile(file);
  const { main } = read;
  const variables = variablesOf(read);
  const slots = main.tensors.map(slotOf);
  const slotsAt = (places: readonly number[]) =>
    places.map(
      (place) => slots[place] ?? refuse('it is damaged: an operator names a tensor that is not there'),
    );
  const handles = handlesOf(main);
  const work = main.operators.map((operator) => ({
    operator,
    parts: {
      inputs: slotsAt(operator.inputs),
      outputs: slotsAt(operator.outputs),
      options: operator.options,
    },
  }));
  checkCost(work);
  const steps = work.flatMap(({ operator, parts }): ModelStep[] => {
    if (operator.name === 'readVariable' || operator.name === 'assignVariable') {
      const name = handles.get(operator.inputs[0] ?? -1);
      const variable = variables.get(name ?? '') ?? refuse('it uses a variable that nothing sets');
      return operator.name === 'readVariable'
        ? [copyStep(variable.slot, slotAt(parts.outputs, 0))]
        : [copyStep(slotAt(parts.inputs, 1), variable.slot)];
    }
    const make = stepMakers[operator.name];
    return make === null ? [] : [make(parts)];
  });
  const [inputs, outputs] = [slotsAt(main.inputs), slotsAt(main.outputs)];
  return { ...endsOf(inputs, outputs, steps), reset: () => resetAll(variables) };
}

/** What a model may need in one run; wake words need up to 50,000 multiplications, and move as many numbers. */
const maxProducts = 1_000_000;
const maxMoved = 2_000_000;

/** Before anything is made: a model that is small as a file can still ask for more than any machine has. */
function checkCost(work: readonly { operator: Operator; parts: OperatorParts }[]): void {
  let [products, moved] = [0, 0];
  for (const { operator, parts } of work) {
    products += productsOf(operator, parts);
    for (const { size } of [...parts.inputs, ...parts.outputs]) moved += size;
  }
  if (!(products <= maxProducts && moved <= maxMoved)) refuse('it calculates too much for a wake word');
}

/** How the steps of each operator are made; null: it does nothing while the model runs. */
const stepMakers: Record<
  Exclude<OperatorName, 'readVariable' | 'assignVariable'>,
  ((parts: OperatorParts) => ModelStep) | null
> = {
  callOnce: null,
  varHandle: null,
  concatenation: concatenationStep,
  conv2d: conv2dStep,
  depthwiseConv2d: depthwiseConv2dStep,
  dequantize: dequantizeStep,
  fullyConnected: fullyConnectedStep,
  logistic: logisticStep,
  quantize: quantizeStep,
  reshape: ({ inputs, outputs }) => copyStep(slotAt(inputs, 0), slotAt(outputs, 0)),
  split: (parts) => splitStep(parts, 'split'),
  splitV: (parts) => splitStep(parts, 'splitV'),
  stridedSlice: stridedSliceStep,
};

/** What goes in and what comes out. */
function endsOf(inputs: readonly TensorSlot[], outputs: readonly TensorSlot[], steps: readonly ModelStep[]) {
  const [input, output] = [slotAt(inputs, 0), slotAt(outputs, 0)];
  const [batch, frames = 0, features = 0, ...more] = input.shape;
  const isOfSound =
    inputs.length === 1 && batch === 1 && more.every((length) => length === 1) && features === 40;
  if (!isOfSound || outputs.length !== 1 || output.size !== 1) {
    refuse(
      `it is no wake word: it takes ${input.shape.join(' x ')} numbers and gives ${output.shape.join(' x ')}`,
    );
  }
  if (output.type !== 'int8' && output.type !== 'uint8') refuse(`its result is ${output.type}`);
  const [scale, { zeroPoint }] = [scaleOf(output), quantizationOf(output)];
  return {
    frames,
    features,
    scale: scaleOf(input),
    zeroPoint: quantizationOf(input).zeroPoint,
    input: int8Of(input),
    run: () => {
      for (const step of steps) step();
      return ((output.numbers[0] ?? 0) - zeroPoint) * scale;
    },
  };
}

function slotOf(tensor: Tensor): TensorSlot {
  return { ...tensor, numbers: numbersOf(tensor) };
}

function numbersOf({ type, size, constant }: Tensor): Numbers {
  const bytesEach = type === 'int8' || type === 'uint8' ? 1 : 4;
  if (constant !== null && constant.length !== size * bytesEach)
    refuse('it is damaged: a constant is cut off');
  // A copy, because a file may hold it at any place, and numbers of 32 bits may lie only at every fourth.
  const bytes = constant === null ? new Uint8Array(size * bytesEach) : constant.slice();
  if (type === 'int8') return new Int8Array(bytes.buffer);
  if (type === 'uint8') return bytes;
  return type === 'float32' ? new Float32Array(bytes.buffer) : new Int32Array(bytes.buffer);
}

/** Which variable each handle stands for. */
function handlesOf({ operators }: Graph): Map<number, string> {
  const handles = operators.filter(({ name }) => name === 'varHandle');
  return new Map(handles.map(({ outputs, options }) => [outputs[0] ?? -1, options?.text(1) ?? '']));
}

/** The variables with what they hold at the start. */
function variablesOf({ main, others }: TfliteFile): Map<string, Variable> {
  const beginnings = main.operators
    .filter(({ name }) => name === 'callOnce')
    .map(
      ({ options }) =>
        others[(options?.int32(0) ?? 0) - 1] ?? refuse('it is damaged: its beginning is missing'),
    );
  return new Map(beginnings.flatMap(settingsIn));
}

function settingsIn(graph: Graph): [string, Variable][] {
  const handles = handlesOf(graph);
  const assignments = graph.operators.filter(({ name }) => name !== 'varHandle');
  return assignments.map(({ name, inputs }: Operator): [string, Variable] => {
    const [handle = -1, place = -1] = inputs;
    const tensor = graph.tensors[place];
    if (name !== 'assignVariable' || !tensor?.constant) return refuse('it calculates at its start');
    return [handles.get(handle) ?? '', { first: slotOf(tensor), slot: slotOf(tensor) }];
  });
}

function resetAll(variables: ReadonlyMap<string, Variable>): void {
  for (const { first, slot } of variables.values()) slot.numbers.set(first.numbers);
}
