import { NetworkGraph, type Padding, type Value } from './network-graph.ts';
import type { NetworkWeights, WeightTensor } from './network-weights.ts';

/** Side of the square crop that the descriptor network looks at, in pixels. */
const DESCRIPTOR_INPUT_SIDE = 150;
/** Width of the descriptor. */
export const DESCRIPTOR_LENGTH = 128;

/** face-api's recognition network (a ResNet-34 after dlib's): input [1, 3, 150, 150], output `descriptor` [1, 128]. */
export function faceDescriptorNetwork(weights: NetworkWeights): Uint8Array {
  const graph = new NetworkGraph([1, 3, DESCRIPTOR_INPUT_SIDE, DESCRIPTOR_INPUT_SIDE]);

  const conv = (input: Value, prefix: string, stride: 1 | 2, padding: Padding): Value => {
    const { filters, bias } = foldScale(weights, prefix);
    return graph.conv(input, filters, bias, stride, padding);
  };
  const residual = (input: Value, prefix: string): Value => {
    const inner = graph.relu(conv(input, `${prefix}/conv1`, 1, 'same'));
    return graph.relu(graph.add(conv(inner, `${prefix}/conv2`, 1, 'same'), input));
  };
  /** Halves the resolution. Where the pooled input is a pixel wider than the convolved one, the latter gets a row and column. */
  const residualDown = (input: Value, prefix: string, channelsAdded: number, pixelsAdded: 0 | 1): Value => {
    const inner = graph.relu(conv(input, `${prefix}/conv1`, 2, 'valid'));
    const convolved = conv(inner, `${prefix}/conv2`, 1, 'same');
    const pooled = graph.averagePool(input, 2, 2);
    return graph.relu(
      graph.add(
        channelsAdded === 0 ? pooled : graph.padEnd(pooled, { channels: channelsAdded }),
        pixelsAdded === 0 ? convolved : graph.padEnd(convolved, { rows: pixelsAdded, columns: pixelsAdded }),
      ),
    );
  };

  let value = graph.relu(conv(graph.input, 'conv32_down', 2, 'valid'));
  value = graph.maxPool(value, 3, 2);
  for (const block of ['conv32_1', 'conv32_2', 'conv32_3']) value = residual(value, block);
  value = residualDown(value, 'conv64_down', 32, 0);
  for (const block of ['conv64_1', 'conv64_2', 'conv64_3']) value = residual(value, block);
  value = residualDown(value, 'conv128_down', 64, 0);
  for (const block of ['conv128_1', 'conv128_2']) value = residual(value, block);
  value = residualDown(value, 'conv256_down', 128, 1);
  for (const block of ['conv256_1', 'conv256_2']) value = residual(value, block);
  value = residualDown(value, 'conv256_down_out', 0, 1);
  graph.output('descriptor', graph.fullyConnected(graph.globalAverage(value), weights.tensor('fc'), null), [
    1,
    DESCRIPTOR_LENGTH,
  ]);
  return graph.encode();
}

/** A convolution whose result is scaled and shifted by channel is a convolution with other filters and another bias. */
function foldScale({ tensor }: NetworkWeights, prefix: string): { filters: WeightTensor; bias: Float32Array } {
  const filters = tensor(`${prefix}/conv/filters`);
  const scale = tensor(`${prefix}/scale/weights`).data;
  const shift = tensor(`${prefix}/scale/biases`).data;
  return {
    filters: { shape: filters.shape, data: filters.data.map((weight, i) => weight * scale[i % scale.length]!) },
    bias: tensor(`${prefix}/conv/bias`).data.map((value, channel) => value * scale[channel]! + shift[channel]!),
  };
}
