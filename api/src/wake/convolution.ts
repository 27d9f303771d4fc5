import { createMatrixProduct, packWeights } from './matrix-product.ts';
import {
  int8Of,
  type ModelStep,
  type OperatorParts,
  quantizationOf,
  refuse,
  slotAt,
  type TensorSlot,
} from './model-parts.ts';
import { createRequantizer } from './requantizer.ts';
import type { Operator } from './tflite-file.ts';

/** A convolution window over rows and columns. */
interface Window {
  height: number;
  width: number;
  strideHeight: number;
  strideWidth: number;
  isSame: boolean;
}

type Dimensions = readonly [batch: number, height: number, width: number, channels: number];

function dimensionsOf({ shape }: TensorSlot): Dimensions {
  const [batch, height, width, channels] = shape;
  if (batch !== 1 || height === undefined || width === undefined || channels === undefined) {
    return refuse(`a tensor has the shape ${shape.join(' x ')}`);
  }
  return [batch, height, width, channels];
}

/**
 * For each window position, the input indexes it covers, row by row, without channels. -1: outside the input.
 */
function windowPlaces(input: Dimensions, output: Dimensions, window: Window): Int32Array {
  const [, inHeight, inWidth] = input;
  const [, outHeight, outWidth] = output;
  const { height, width, strideHeight, strideWidth, isSame } = window;
  const count = (length: number, size: number, stride: number) =>
    Math.ceil((isSame ? length : length - size + 1) / stride);
  const fits =
    outHeight === count(inHeight, height, strideHeight) && outWidth === count(inWidth, width, strideWidth);
  if (!fits || strideHeight < 1 || strideWidth < 1)
    refuse('it is damaged: a convolution does not fit its result');
  const before = (length: number, size: number, stride: number, results: number) =>
    isSame ? Math.max(0, (results - 1) * stride + size - length) >> 1 : 0;
  const [above, left] = [
    before(inHeight, height, strideHeight, outHeight),
    before(inWidth, width, strideWidth, outWidth),
  ];
  const size = height * width;
  return Int32Array.from({ length: outHeight * outWidth * size }, (_, n) => {
    const [position, cell] = [Math.floor(n / size), n % size];
    const row = Math.floor(position / outWidth) * strideHeight - above + Math.floor(cell / width);
    const column = (position % outWidth) * strideWidth - left + (cell % width);
    const isInside = row >= 0 && row < inHeight && column >= 0 && column < inWidth;
    return isInside ? row * inWidth + column : -1;
  });
}

function windowOf({ options }: OperatorParts, filter: Dimensions, dilationField: number): Window {
  const [, height, width] = filter;
  if (options === null) return refuse('it is damaged: a convolution without options');
  if (options.int32(dilationField, 1) !== 1 || options.int32(dilationField + 1, 1) !== 1) {
    refuse('it uses convolutions with gaps');
  }
  return {
    height,
    width,
    strideWidth: options.int32(1),
    strideHeight: options.int32(2),
    isSame: options.int8(0) === 0,
  };
}

/** Number of multiplications per run. 0 for operators other than these. */
export function productsOf({ name }: Operator, { inputs, outputs }: OperatorParts): number {
  if (name !== 'conv2d' && name !== 'depthwiseConv2d' && name !== 'fullyConnected') return 0;
  const output = slotAt(outputs, 0);
  return (output.size * slotAt(inputs, 1).size) / (output.shape.at(-1) ?? 1);
}

export function conv2dStep(parts: OperatorParts): ModelStep {
  const [input, filter] = [slotAt(parts.inputs, 0), slotAt(parts.inputs, 1)];
  const output = slotAt(parts.outputs, 0);
  const [inDimensions, outDimensions] = [dimensionsOf(input), dimensionsOf(output)];
  const [channels = 0, ...kernel] = filter.shape;
  const kernelDimensions = dimensionsOf({ ...filter, shape: [1, ...kernel] });
  const [, height, width, depth] = kernelDimensions;
  if (depth !== inDimensions[3] || channels !== outDimensions[3])
    refuse('it is damaged: a convolution does not fit');
  const places = windowPlaces(inDimensions, outDimensions, windowOf(parts, kernelDimensions, 4));
  const cells = height * width;
  const columns = cells * depth;

  const [source, results] = [int8Of(input), int8Of(output)];
  const { zeroPoint } = quantizationOf(input);
  const product = createMatrixProduct(packedOf(filter), channels, columns);
  const write = createRequantizer(parts, { channels, activation: parts.options?.int8(3) ?? 0, ties: 'away' });
  return () => {
    for (let first = 0, at = 0; first < places.length; first += cells, at += channels) {
      const count = gather(source, places, { first, cells, depth, zeroPoint, product });
      product.multiply(count);
      write(product.sums, results, at);
    }
  };
}

/** One row of weights per result. */
function packedOf(filter: TensorSlot): Float64Array {
  const [rows = 0] = filter.shape;
  return packWeights(int8Of(filter), rows, filter.size / rows);
}

interface Gathering {
  first: number;
  cells: number;
  depth: number;
  zeroPoint: number;
  product: { places: Int32Array; values: Float64Array };
}

/** Collects the nonzero values of the window at one position. Returns their number. */
function gather(source: Int8Array, cellPlaces: Int32Array, gathering: Gathering): number {
  const { first, cells, depth, zeroPoint, product } = gathering;
  const { places, values } = product;
  let count = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const place = cellPlaces[first + cell] ?? -1;
    if (place < 0) continue;
    for (let channel = 0; channel < depth; channel += 1) {
      const value = (source[place * depth + channel] ?? 0) - zeroPoint;
      if (value === 0) continue;
      places[count] = cell * depth + channel;
      values[count] = value;
      count += 1;
    }
  }
  return count;
}

export function depthwiseConv2dStep(parts: OperatorParts): ModelStep {
  const [input, filter] = [slotAt(parts.inputs, 0), slotAt(parts.inputs, 1)];
  const output = slotAt(parts.outputs, 0);
  const [inDimensions, outDimensions] = [dimensionsOf(input), dimensionsOf(output)];
  const kernelDimensions = dimensionsOf(filter);
  const [, height, width, channels] = kernelDimensions;
  if (channels !== inDimensions[3] || channels !== outDimensions[3]) {
    refuse('it uses convolutions that split a channel');
  }
  const places = windowPlaces(inDimensions, outDimensions, windowOf(parts, kernelDimensions, 5));
  const cells = height * width;

  const source = int8Of(input);
  const results = int8Of(output);
  const weights = Int32Array.from(int8Of(filter));
  const { zeroPoint } = quantizationOf(input);
  const write = createRequantizer(parts, {
    channels,
    activation: parts.options?.int8(4) ?? 0,
    ties: 'up',
  });
  const sums = new Int32Array(channels);
  return () => {
    for (let first = 0, at = 0; first < places.length; first += cells, at += channels) {
      sums.fill(0);
      for (let cell = 0; cell < cells; cell += 1) {
        const place = places[first + cell] ?? -1;
        if (place < 0) continue;
        addProducts(sums, source, { weights, from: place * channels, row: cell * channels, zeroPoint });
      }
      write(sums, results, at);
    }
  };
}

interface Products {
  weights: Int32Array;
  /** Offset of the channels in the source, and among the weights. */
  from: number;
  row: number;
  zeroPoint: number;
}

function addProducts(sums: Int32Array, source: Int8Array, { weights, from, row, zeroPoint }: Products): void {
  for (let channel = 0; channel < sums.length; channel += 1) {
    const value = (source[from + channel] ?? 0) - zeroPoint;
    sums[channel] = (sums[channel] ?? 0) + Math.imul(value, weights[row + channel] ?? 0);
  }
}

export function fullyConnectedStep(parts: OperatorParts): ModelStep {
  const [input, filter] = [slotAt(parts.inputs, 0), slotAt(parts.inputs, 1)];
  const output = slotAt(parts.outputs, 0);
  const [rows = 0, columns = 0] = filter.shape;
  if (filter.shape.length !== 2 || input.size !== columns || output.size !== rows) {
    refuse('it is damaged: a layer does not fit');
  }
  const [source, results] = [int8Of(input), int8Of(output)];
  const { zeroPoint } = quantizationOf(input);
  const product = createMatrixProduct(packedOf(filter), rows, columns);
  const write = createRequantizer(parts, {
    channels: rows,
    activation: parts.options?.int8(0) ?? 0,
    ties: 'away',
  });
  const cellPlaces = Int32Array.of(0);
  return () => {
    const count = gather(source, cellPlaces, { first: 0, cells: 1, depth: columns, zeroPoint, product });
    product.multiply(count);
    write(product.sums, results, 0);
  };
}
