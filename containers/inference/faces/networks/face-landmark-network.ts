import { NetworkGraph, type Value } from './network-graph.ts';
import type { NetworkWeights } from './network-weights.ts';

/** Side of the square crop that the landmark network looks at, in pixels. */
export const LANDMARK_INPUT_SIDE = 112;

/**
 * face-api's network of 68 landmarks: input [1, 3, 112, 112], output `points` [1, 136], x and y in turn as fractions of the crop's
 * side. Four dense blocks of separable convolutions, each adding up what its layers found.
 */
export function faceLandmarkNetwork({ tensor }: NetworkWeights): Uint8Array {
  const graph = new NetworkGraph([1, 3, LANDMARK_INPUT_SIDE, LANDMARK_INPUT_SIDE]);

  const separable = (input: Value, prefix: string, stride: 1 | 2): Value =>
    graph.conv(
      graph.depthwiseConv(input, tensor(`${prefix}/depthwise_filter`), null, stride),
      tensor(`${prefix}/pointwise_filter`),
      tensor(`${prefix}/bias`).data,
      1,
    );

  let value: Value = graph.input;
  for (let block = 0; block < 4; block += 1) {
    const prefix = `dense${block}`;
    const first =
      block === 0
        ? graph.conv(value, tensor(`${prefix}/conv0/filters`), tensor(`${prefix}/conv0/bias`).data, 2)
        : separable(value, `${prefix}/conv0`, 2);
    let sum = graph.relu(first);
    value = sum;
    for (let layer = 1; layer < 4; layer += 1) {
      sum = graph.add(sum, separable(value, `${prefix}/conv${layer}`, 1));
      value = graph.relu(sum);
    }
  }
  const features = graph.globalAverage(value);
  graph.output('points', graph.fullyConnected(features, tensor('fc/weights'), tensor('fc/bias').data), [1, 136]);
  return graph.encode();
}
