import { encodeOnnxModel, type OnnxConstant, type OnnxNode, type OnnxValue } from '../../onnx/onnx-model.ts';
import type { WeightTensor } from './network-weights.ts';

/** The name of a value that flows between the nodes of a graph. */
export type Value = string;
export type Padding = 'same' | 'valid';

/**
 * Writes a convolutional network down as an ONNX model. Weights come in TensorFlow's layout (height, width, in, out) and are
 * transposed once, here; values flow as [batch, channels, height, width].
 */
export class NetworkGraph {
  readonly input: Value = 'input';
  readonly #inputShape: readonly number[];
  readonly #nodes: OnnxNode[] = [];
  readonly #constants: OnnxConstant[] = [];
  readonly #outputs: OnnxValue[] = [];
  #names = 0;

  constructor(inputShape: readonly [number, number, number, number]) {
    this.#inputShape = inputShape;
  }

  /** `filters` of [height, width, in, out]. 'same' pads as TensorFlow does: the odd pixel at the end. */
  conv(input: Value, filters: WeightTensor, bias: Float32Array, stride: 1 | 2, padding: Padding = 'same'): Value {
    const [height, width, channelsIn, channelsOut] = sides(filters);
    const weights = transpose(filters, [3, 2, 0, 1]);
    return this.#convolve(input, weights, [channelsOut, channelsIn, height, width], bias, stride, padding, 1);
  }

  /** `filters` of [height, width, channels, 1]: each channel on its own. */
  depthwiseConv(
    input: Value,
    filters: WeightTensor,
    bias: Float32Array | null,
    stride: 1 | 2,
    padding: Padding = 'same',
  ): Value {
    const [height, width, channels] = sides(filters);
    const weights = transpose(filters, [2, 3, 0, 1]);
    return this.#convolve(input, weights, [channels, 1, height, width], bias, stride, padding, channels);
  }

  relu(input: Value): Value {
    return this.#node('Relu', [input]);
  }

  /** The ReLU of MobileNet, clipped at 6. */
  relu6(input: Value): Value {
    return this.#node('Clip', [input, this.#constant([], Float32Array.of(0)), this.#constant([], Float32Array.of(6))]);
  }

  /**
   * Below zero each channel of [batch, channels, height, width] has a slope of its own. Written as `slope · x + (1 − slope) · relu(x)`,
   * which the runtime is quicker at than at its own operator.
   */
  prelu(input: Value, slopes: Float32Array): Value {
    const shape = [slopes.length, 1, 1];
    const rest = slopes.map((slope) => 1 - slope);
    return this.add(
      this.#node('Mul', [input, this.#constant(shape, slopes)]),
      this.#node('Mul', [this.relu(input), this.#constant(shape, rest)]),
    );
  }

  add(first: Value, second: Value): Value {
    return this.#node('Add', [first, second]);
  }

  maxPool(input: Value, size: number, stride: number): Value {
    return this.#node('MaxPool', [input], {
      kernel_shape: [size, size],
      strides: [stride, stride],
    });
  }

  averagePool(input: Value, size: number, stride: number): Value {
    return this.#node('AveragePool', [input], {
      kernel_shape: [size, size],
      strides: [stride, stride],
    });
  }

  /** Mean over height and width: [batch, channels]. */
  globalAverage(input: Value): Value {
    return this.#node('Flatten', [this.#node('GlobalAveragePool', [input])]);
  }

  /** [batch, channels, 1, 1] as rows of length 1 in Euclid's measure. */
  unitRows(input: Value): Value {
    return this.#node('LpNormalization', [this.#node('Flatten', [input])], { axis: 1, p: 2 });
  }

  /** Appends zeros: channels, rows below and columns to the right. */
  padEnd(input: Value, added: { channels?: number; rows?: number; columns?: number }): Value {
    const pads = [0, 0, 0, 0, 0, added.channels ?? 0, added.rows ?? 0, added.columns ?? 0];
    return this.#node('Pad', [input, this.#integers(pads)]);
  }

  /** `weights` of [in, out]; the input is [batch, in]. */
  fullyConnected(input: Value, weights: WeightTensor, bias: Float32Array | null): Value {
    const product = this.#node('MatMul', [input, this.#constant(weights.shape, weights.data)]);
    return bias === null ? product : this.add(product, this.#constant([bias.length], bias));
  }

  /** [batch, n*size, height, width] as rows of `size`, in the order in which TensorFlow flattens [height, width, n*size]. */
  rows(input: Value, size: number): Value {
    const lastChannels = this.#node('Transpose', [input], { perm: [0, 2, 3, 1] });
    return this.#node('Reshape', [lastChannels, this.#integers([-1, size])]);
  }

  /** One set of rows after the other. */
  stackRows(inputs: readonly Value[]): Value {
    return this.#node('Concat', inputs, { axis: 0 });
  }

  output(name: string, value: Value, shape: OnnxValue['shape']): void {
    this.#nodes.push({ op: 'Identity', inputs: [value], outputs: [name] });
    this.#outputs.push({ name, type: 'float', shape });
  }

  /** The network as bytes of an .onnx file. */
  encode(): Uint8Array {
    return encodeOnnxModel({
      name: 'faces',
      inputs: [{ name: this.input, type: 'float', shape: this.#inputShape }],
      outputs: this.#outputs,
      nodes: this.#nodes,
      constants: this.#constants,
    });
  }

  #convolve(
    input: Value,
    weights: Float32Array,
    shape: readonly [number, number, number, number],
    bias: Float32Array | null,
    stride: number,
    padding: Padding,
    group: number,
  ): Value {
    const inputs = [input, this.#constant(shape, weights)];
    if (bias !== null) inputs.push(this.#constant([bias.length], bias));
    return this.#node('Conv', inputs, {
      kernel_shape: [shape[2], shape[3]],
      strides: [stride, stride],
      group,
      auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID',
    });
  }

  #node(op: string, inputs: readonly Value[], attributes: NonNullable<OnnxNode['attributes']> = {}): Value {
    const output = this.#name();
    this.#nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  #constant(shape: readonly number[], values: Float32Array): Value {
    const name = this.#name();
    this.#constants.push({ name, shape, values });
    return name;
  }

  #integers(values: readonly number[]): Value {
    const name = this.#name();
    this.#constants.push({ name, shape: [values.length], values: BigInt64Array.from(values, BigInt) });
    return name;
  }

  #name(): Value {
    this.#names += 1;
    return `value${this.#names}`;
  }
}

function sides({ shape }: WeightTensor): [number, number, number, number] {
  const [height, width, channelsIn, channelsOut] = shape;
  if (height === undefined || width === undefined || channelsIn === undefined || channelsOut === undefined)
    throw new Error(`filters have four sides, not ${shape.length}`);
  return [height, width, channelsIn, channelsOut];
}

/** The same numbers with their axes in another order. */
function transpose(tensor: WeightTensor, order: readonly [number, number, number, number]): Float32Array {
  const size = sides(tensor);
  const step = [size[1] * size[2] * size[3], size[2] * size[3], size[3], 1];
  const [a, b, c, d] = order;
  const result = new Float32Array(tensor.data.length);
  let at = 0;
  for (let i = 0; i < size[a]!; i += 1)
    for (let j = 0; j < size[b]!; j += 1)
      for (let k = 0; k < size[c]!; k += 1)
        for (let l = 0; l < size[d]!; l += 1) {
          result[at] = tensor.data[i * step[a]! + j * step[b]! + k * step[c]! + l * step[d]!]!;
          at += 1;
        }
  return result;
}
