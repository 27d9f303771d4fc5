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
  type ModelGraph,
  type Operator,
  type OperatorName,
  readTfliteFile,
  type Tensor,
  type TfliteFile,
} from './tflite-file.ts';

/** A model that processes one stream of sound and keeps its state. */
export interface StreamingModel {
  /** Feature frames per run, and features per frame. */
  frames: number;
  features: number;
  /** Quantization of the features for `input`. */
  scale: number;
  zeroPoint: number;
  /** Fill this before a run. */
  input: Int8Array;
  /** Returns the probability that the word has just ended, from 0 to 1. */
  run(): number;
  /** Resets the state. */
  reset(): void;
}

/** State that survives a run. */
interface Variable {
  first: TensorSlot;
  /** Holds the state of the stream that runs. */
  slot: TensorSlot;
}

/** A model that many streams of sound can use at once. */
export interface LoadedModel {
  /** Prepares the runs for one stream. */
  open(): StreamingModel;
}

/**
 * Loads a `.tflite` file of microWakeWord. Its streams share everything but their state. So the tables of a
 * run stay in the processor's cache when many streams take turns.
 */
export function loadWakeModel(file: Uint8Array): LoadedModel {
  const { model, variables } = compiled(readTfliteFile(file));
  return { open: () => openStream(model, variables) };
}

/** Loads a file for one stream. */
export function createStreamingModel(file: Uint8Array): StreamingModel {
  return loadWakeModel(file).open();
}

type CompiledModel = Omit<StreamingModel, 'reset'>;

/** Gives a stream its own input and state, which the shared model uses during a run. */
function openStream(model: CompiledModel, variables: readonly Variable[]): StreamingModel {
  const input = model.input.slice();
  const states = variables.map(({ first }) => first.numbers.slice());
  return {
    ...model,
    input,
    run() {
      model.input.set(input);
      variables.forEach(({ slot }, at) => {
        slot.numbers = states[at] ?? slot.numbers;
      });
      return model.run();
    },
    reset() {
      for (const [at, { first }] of variables.entries()) states[at]?.set(first.numbers);
    },
  };
}

/** Prepares the steps of a run. */
function compiled(read: TfliteFile): { model: CompiledModel; variables: readonly Variable[] } {
  const { main } = read;
  const variables = variablesOf(read);
  const slots = main.tensors.map(slotOf);
  const slotsAt = (places: readonly number[]) =>
    places.map(
      (place) => slots[place] ?? refuse('it is damaged: an operator names a tensor that does not exist'),
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
  return { model: endsOf(inputs, outputs, steps), variables: [...variables.values()] };
}

/** Limits for one run. Wake words need up to 50,000 multiplications, and move as many numbers. */
const maxProducts = 1_000_000;
const maxMoved = 2_000_000;

/** Checked before allocation, because a small file can still ask for more than any machine has. */
function checkCost(work: readonly { operator: Operator; parts: OperatorParts }[]): void {
  let [products, moved] = [0, 0];
  for (const { operator, parts } of work) {
    products += productsOf(operator, parts);
    for (const { size } of [...parts.inputs, ...parts.outputs]) moved += size;
  }
  if (!(products <= maxProducts && moved <= maxMoved))
    refuse('it needs too much computation for a wake word');
}

/** Factories for the operators' steps. Null: no work at run time. */
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

/** Checks the input and output of the model. */
function endsOf(inputs: readonly TensorSlot[], outputs: readonly TensorSlot[], steps: readonly ModelStep[]) {
  const [input, output] = [slotAt(inputs, 0), slotAt(outputs, 0)];
  const [batch, frames = 0, features = 0, ...more] = input.shape;
  const isOfSound =
    inputs.length === 1 && batch === 1 && more.every((length) => length === 1) && features === 40;
  if (!isOfSound || outputs.length !== 1 || output.size !== 1) {
    refuse(
      `it is not a wake word model: it takes ${input.shape.join(' x ')} numbers and gives ${output.shape.join(' x ')}`,
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
  // Copied, because constants may be unaligned in the file, and 32-bit numbers need alignment to 4 bytes.
  const bytes = constant === null ? new Uint8Array(size * bytesEach) : constant.slice();
  if (type === 'int8') return new Int8Array(bytes.buffer);
  if (type === 'uint8') return bytes;
  return type === 'float32' ? new Float32Array(bytes.buffer) : new Int32Array(bytes.buffer);
}

/** The variable name of each handle. */
function handlesOf({ operators }: ModelGraph): Map<number, string> {
  const handles = operators.filter(({ name }) => name === 'varHandle');
  return new Map(handles.map(({ outputs, options }) => [outputs[0] ?? -1, options?.text(1) ?? '']));
}

/** The variables with their initial values. */
function variablesOf({ main, others }: TfliteFile): Map<string, Variable> {
  const beginnings = main.operators
    .filter(({ name }) => name === 'callOnce')
    .map(
      ({ options }) =>
        others[(options?.int32(0) ?? 0) - 1] ?? refuse('it is damaged: its beginning is missing'),
    );
  return new Map(beginnings.flatMap(settingsIn));
}

function settingsIn(graph: ModelGraph): [string, Variable][] {
  const handles = handlesOf(graph);
  const assignments = graph.operators.filter(({ name }) => name !== 'varHandle');
  return assignments.map(({ name, inputs }: Operator): [string, Variable] => {
    const [handle = -1, place = -1] = inputs;
    const tensor = graph.tensors[place];
    if (name !== 'assignVariable' || !tensor?.constant) return refuse('it computes values at its start');
    return [handles.get(handle) ?? '', { first: slotOf(tensor), slot: slotOf(tensor) }];
  });
}
