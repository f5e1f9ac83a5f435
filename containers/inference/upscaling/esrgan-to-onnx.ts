import { ELEMENT_TYPE, encodeOnnxModel, type OnnxConstant, type OnnxNode } from '../onnx/onnx-model.ts';
import type { KerasModel, KerasWeights } from './keras-model.ts';

/**
 * Turns an ESRGAN-slim network into an ONNX model from `image`, uint8 [1, height, width, 3], to `enlarged`, uint8 [1, scale · height,
 * scale · width, 3].
 *
 * The network ends by repeating each pixel scale × scale times before a 3×3 convolution. Each of the scale² pixels made from one sees only
 * a 3×3 neighbourhood before the repetition, so the same sums are taken there, in scale² sets of weights, and the results dealt out:
 * the same image, without the widest layer ever being in memory.
 */
export function esrganToOnnx({ layers, output, weights }: KerasModel): Uint8Array {
  const nodes: OnnxNode[] = [
    { op: 'Cast', inputs: ['image'], outputs: ['image.float'], attributes: { to: ELEMENT_TYPE.float } },
    { op: 'Transpose', inputs: ['image.float'], outputs: ['image.planes'], attributes: { perm: [0, 3, 1, 2] } },
  ];
  const constants: OnnxConstant[] = [];
  const repeated = new Map<string, { readonly source: string; readonly scale: number }>();

  const convolve = (name: string, input: string, result: string, kernel: KerasWeights, bias: Float32Array) => {
    const [height = 0, width = 0, channels = 0, filters = 0] = kernel.shape;
    constants.push({ name: `${name}/kernel`, shape: [filters, channels, height, width], values: filtersFirst(kernel) });
    constants.push({ name: `${name}/bias`, shape: [filters], values: bias });
    const [y, x] = [(height - 1) / 2, (width - 1) / 2];
    const attributes = { kernel_shape: [height, width], pads: [y, x, y, x] };
    nodes.push({ op: 'Conv', inputs: [input, `${name}/kernel`, `${name}/bias`], outputs: [result], attributes });
  };

  for (const layer of layers) {
    const { name } = layer;
    const inputs = (layer.inbound_nodes[0] ?? []).map(([input]) => input);
    const [input = ''] = inputs;
    switch (layer.class_name) {
      case 'InputLayer':
        nodes.push({ op: 'Identity', inputs: ['image.planes'], outputs: [name] });
        break;
      case 'Conv2D': {
        const kernel = weights.get(`${name}/kernel`);
        const bias = weights.get(`${name}/bias`);
        if (kernel === undefined || bias === undefined) throw new Error(`${name} has no weights`);
        if (layer.config.padding === 'valid' && kernel.shape[0] !== 1)
          throw new Error(`${name} makes the image smaller`);
        const repetition = repeated.get(input);
        if (repetition === undefined) {
          convolve(name, input, name, kernel, bias.values);
        } else {
          const { source, scale } = repetition;
          convolve(
            name,
            source,
            `${name}.dealt`,
            beforeRepetition(kernel, scale),
            repeatValues(bias.values, scale ** 2),
          );
          const attributes = { blocksize: scale, mode: 'DCR' };
          nodes.push({ op: 'DepthToSpace', inputs: [`${name}.dealt`], outputs: [name], attributes });
        }
        break;
      }
      case 'Activation':
        nodes.push({ op: 'Relu', inputs: [input], outputs: [name] });
        break;
      case 'Concatenate':
        nodes.push({ op: 'Concat', inputs, outputs: [name], attributes: { axis: 1 } });
        break;
      case 'Add':
        nodes.push({ op: 'Add', inputs, outputs: [name] });
        break;
      case 'UpSampling2D':
        repeated.set(name, { source: input, scale: layer.config.size[0] });
        break;
    }
  }
  constants.push({ name: 'black', shape: [], values: Float32Array.of(0) });
  constants.push({ name: 'white', shape: [], values: Float32Array.of(255) });
  nodes.push(
    { op: 'Transpose', inputs: [output], outputs: ['pixels'], attributes: { perm: [0, 2, 3, 1] } },
    { op: 'Round', inputs: ['pixels'], outputs: ['pixels.whole'] },
    { op: 'Clip', inputs: ['pixels.whole', 'black', 'white'], outputs: ['pixels.bounded'] },
    { op: 'Cast', inputs: ['pixels.bounded'], outputs: ['enlarged'], attributes: { to: ELEMENT_TYPE.uint8 } },
  );
  return encodeOnnxModel({
    name: 'esrgan-slim',
    inputs: [{ name: 'image', type: 'uint8', shape: [1, 'height', 'width', 3] }],
    outputs: [{ name: 'enlarged', type: 'uint8', shape: [1, 'enlarged_height', 'enlarged_width', 3] }],
    nodes,
    constants,
  });
}

/** [height, width, in, out] → [out, in, height, width]. */
function filtersFirst({ shape, values }: KerasWeights): Float32Array {
  const [height = 0, width = 0, channels = 0, filters = 0] = shape;
  const turned = new Float32Array(values.length);
  let at = 0;
  for (let filter = 0; filter < filters; filter++)
    for (let channel = 0; channel < channels; channel++)
      for (let tap = 0; tap < height * width; tap++)
        turned[at++] = values[(tap * channels + channel) * filters + filter]!;
  return turned;
}

/**
 * The kernel that, on the image before each pixel is repeated scale × scale times, gives all scale² results of this one afterwards: result
 * (y, x) of a pixel in filters (y · scale + x) · out and up. A tap belongs to the pixel that its position is a repetition of.
 */
function beforeRepetition({ shape, values }: KerasWeights, scale: number): KerasWeights {
  const [height = 0, width = 0, channels = 0, filters = 0] = shape;
  const [middleY, middleX] = [(height - 1) / 2, (width - 1) / 2];
  if (middleY > scale || middleX > scale) throw new Error(`a ${height}×${width} kernel reaches beyond the next pixel`);
  const allFilters = filters * scale ** 2;
  const summed = new Float32Array(3 * 3 * channels * allFilters);
  for (let y = 0; y < scale; y++)
    for (let x = 0; x < scale; x++)
      for (let tapY = 0; tapY < height; tapY++)
        for (let tapX = 0; tapX < width; tapX++) {
          const sourceTap =
            (Math.floor((y + tapY - middleY) / scale) + 1) * 3 + Math.floor((x + tapX - middleX) / scale) + 1;
          for (let channel = 0; channel < channels; channel++)
            for (let filter = 0; filter < filters; filter++) {
              const to = (sourceTap * channels + channel) * allFilters + (y * scale + x) * filters + filter;
              summed[to]! += values[((tapY * width + tapX) * channels + channel) * filters + filter]!;
            }
        }
  return { shape: [3, 3, channels, allFilters], values: summed };
}

function repeatValues(values: Float32Array, times: number): Float32Array {
  return Float32Array.from({ length: values.length * times }, (_, at) => values[at % values.length]!);
}
