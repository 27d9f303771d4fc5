import { type FlatBufferTable, readFlatBuffer } from './flat-buffer.ts';
import { UnreadableModel } from './unreadable-model.ts';

/** Supported number types, by their id in the file. */
const typeNames = { 0: 'float32', 2: 'int32', 3: 'uint8', 9: 'int8', 13: 'resource' } as const;
type TensorType = (typeof typeNames)[keyof typeof typeNames];

/** Supported operators, by their id in the file. */
const operatorNames = {
  2: 'concatenation',
  3: 'conv2d',
  4: 'depthwiseConv2d',
  6: 'dequantize',
  9: 'fullyConnected',
  14: 'logistic',
  22: 'reshape',
  45: 'stridedSlice',
  49: 'split',
  102: 'splitV',
  114: 'quantize',
  129: 'callOnce',
  142: 'varHandle',
  143: 'readVariable',
  144: 'assignVariable',
} as const;
export type OperatorName = (typeof operatorNames)[keyof typeof operatorNames];

/** Affine quantization: real value = (number - zeroPoint) * scale. */
export interface Quantization {
  /** One scale, or one per output channel. */
  scales: Float32Array;
  zeroPoint: number;
}

export interface Tensor {
  type: TensorType;
  shape: readonly number[];
  /** Number of elements. */
  size: number;
  quantization: Quantization | null;
  /** The bytes, if it is a constant. */
  constant: Uint8Array | null;
}

export interface Operator {
  name: OperatorName;
  inputs: readonly number[];
  outputs: readonly number[];
  /** Operator-specific options. */
  options: FlatBufferTable | null;
}

/** Operators in execution order. */
export interface ModelGraph {
  tensors: readonly Tensor[];
  operators: readonly Operator[];
  inputs: readonly number[];
  outputs: readonly number[];
}

export interface TfliteFile {
  main: ModelGraph;
  /** Other graphs, which initialize the variables. */
  others: readonly ModelGraph[];
}

/** Wake word files have 45 to 120 kB. These limits reject a wrong file early. */
export const modelLimits = {
  fileBytes: 1_000_000,
  graphs: 4,
  tensors: 2_000,
  operators: 1_000,
  dimensions: 4,
  /** Elements in one tensor, and in all tensors. */
  tensorNumbers: 200_000,
  allNumbers: 1_000_000,
};

/** Reads the structure of a model, and validates every tensor index. */
export function readTfliteFile(file: Uint8Array): TfliteFile {
  if (file.length > modelLimits.fileBytes) {
    const sizes = `${(file.length / 1e6).toFixed(1)} MB, and wake words have at most ${modelLimits.fileBytes / 1e6} MB`;
    throw new UnreadableModel(`it is too large (${sizes})`);
  }
  const model = readFlatBuffer(file, 'TFL3');
  if (model.int32(0) !== 3)
    throw new UnreadableModel(`it is of version ${model.int32(0)} of its format, not 3`);
  const buffers = model.tables(4);
  const codes = model.tables(1).map(readCode);
  const graphs = model.tables(2);
  if (graphs.length === 0 || graphs.length > modelLimits.graphs) {
    throw new UnreadableModel(`it has ${graphs.length} graphs`);
  }
  const [main, ...others] = graphs.map((graph) => readGraph(graph, { codes, buffers }));
  if (!main) throw new UnreadableModel('it has no graph');
  const numbers = [main, ...others]
    .flatMap(({ tensors }) => tensors)
    .reduce((sum, { size }) => sum + size, 0);
  if (numbers > modelLimits.allNumbers) throw new UnreadableModel('it needs too much memory');
  return { main, others };
}

interface Code {
  name: OperatorName | null;
  /** For error messages. */
  number: number;
  custom: string;
}

function readCode(table: FlatBufferTable): Code {
  // Old files only have the first field, new files both.
  const number = Math.max(table.int8(0), table.int32(3));
  return { name: operatorNames[number as keyof typeof operatorNames] ?? null, number, custom: table.text(1) };
}

interface Surroundings {
  codes: readonly Code[];
  buffers: readonly FlatBufferTable[];
}

function readGraph(graph: FlatBufferTable, { codes, buffers }: Surroundings): ModelGraph {
  const [tensorTables, operatorTables] = [graph.tables(0), graph.tables(3)];
  if (tensorTables.length > modelLimits.tensors || operatorTables.length > modelLimits.operators) {
    throw new UnreadableModel(
      `it has ${tensorTables.length} tensors and ${operatorTables.length} operators, too many for a wake word`,
    );
  }
  const tensors = tensorTables.map((table) => readTensor(table, buffers));
  const known = (places: readonly number[]) => {
    if (places.some((place) => place < 0 || place >= tensors.length)) {
      throw new UnreadableModel('it is damaged: an operator names a tensor that does not exist');
    }
    return places;
  };
  const operators = operatorTables.map((table): Operator => {
    const code = codes[table.int32(0)];
    if (!code?.name) {
      const which = code?.custom || `number ${code?.number ?? 'of none'}`;
      throw new UnreadableModel(`it uses an operator that Hearth does not know (${which})`);
    }
    return {
      name: code.name,
      inputs: known(table.int32s(1)),
      outputs: known(table.int32s(2)),
      options: table.table(4),
    };
  });
  return { tensors, operators, inputs: known(graph.int32s(1)), outputs: known(graph.int32s(2)) };
}

function readTensor(table: FlatBufferTable, buffers: readonly FlatBufferTable[]): Tensor {
  const number = table.int8(1);
  const type = typeNames[number as keyof typeof typeNames];
  if (type === undefined) {
    throw new UnreadableModel(`it uses a type of numbers that Hearth does not know (number ${number})`);
  }
  const shape = table.int32s(0);
  if (shape.length > modelLimits.dimensions || shape.some((length) => length < 1)) {
    throw new UnreadableModel(`a tensor has the shape ${shape.slice(0, 8).join(' x ')}`);
  }
  const size = shape.reduce((product, length) => product * length, 1);
  if (size > modelLimits.tensorNumbers) throw new UnreadableModel('a tensor is too large for a wake word');
  const bytes = buffers[table.int32(2)]?.bytes(0) ?? null;
  return {
    type,
    shape,
    size,
    quantization: readQuantization(table.table(4)),
    constant: bytes !== null && bytes.length > 0 ? bytes : null,
  };
}

function readQuantization(table: FlatBufferTable | null): Quantization | null {
  const scales = Float32Array.from(table?.float32s(2) ?? []);
  if (table === null || scales.length === 0) return null;
  if (scales.some((scale) => !(scale > 0 && scale < 1e6))) {
    throw new UnreadableModel('it is damaged: a scale is not a number above 0');
  }
  const zeroPoints = table.int64s(3);
  const [zeroPoint = 0] = zeroPoints;
  if (zeroPoints.some((each) => each !== zeroPoint) || zeroPoint < -128 || zeroPoint > 255) {
    throw new UnreadableModel(`it has zero points that Hearth does not know (${zeroPoint})`);
  }
  return { scales, zeroPoint };
}
