import { NetworkGraph, type Value } from './network-graph.ts';
import type { NetworkWeights } from './network-weights.ts';

/** Side of the square that the detector looks at, in pixels. */
export const DETECTOR_INPUT_SIDE = 512;

const BATCH_NORM_EPSILON = 0.0010000000474974513;
const DEPTHWISE_LAYERS = 13;
/** Layers that halve the resolution. */
const HALVING_LAYERS: ReadonlySet<number> = new Set([2, 4, 6, 12]);
const FIRST_PREDICTING_LAYER = 11;

/**
 * face-api's SSD MobileNet v1: input [1, 3, 512, 512] of -1..1, outputs `boxes` (rows of four box encodings) and `classes` (rows
 * of three logits: background, face, unused), one row an anchor.
 */
export function faceDetectorNetwork(weights: NetworkWeights): Uint8Array {
  const graph = new NetworkGraph([1, 3, DETECTOR_INPUT_SIDE, DETECTOR_INPUT_SIDE]);
  const { tensor } = weights;

  const pointwise = (input: Value, prefix: string, stride: 1 | 2): Value =>
    graph.relu6(
      graph.conv(
        input,
        tensor(`${prefix}_pointwise/weights`),
        tensor(`${prefix}_pointwise/convolution_bn_offset`).data,
        stride,
      ),
    );

  let value = pointwise(graph.input, 'MobilenetV1/Conv2d_0', 2);
  let early = value;
  for (let layer = 1; layer <= DEPTHWISE_LAYERS; layer += 1) {
    const prefix = `MobilenetV1/Conv2d_${layer}`;
    const { filters, bias } = foldBatchNorm(weights, `${prefix}_depthwise`);
    value = graph.relu6(graph.depthwiseConv(value, filters, bias, HALVING_LAYERS.has(layer) ? 2 : 1));
    value = pointwise(value, prefix, 1);
    if (layer === FIRST_PREDICTING_LAYER) early = value;
  }

  const maps = [early, value];
  for (let layer = 0; layer < 8; layer += 1) {
    const halves = layer % 2 === 1;
    value = pointwise(value, `Prediction/Conv2d_${layer}`, halves ? 2 : 1);
    if (halves) maps.push(value);
  }

  const predict = (map: Value, prefix: string, rowSize: number): Value =>
    graph.rows(graph.conv(map, tensor(`${prefix}/weights`), tensor(`${prefix}/biases`).data, 1), rowSize);
  const rows = (kind: string, rowSize: number): Value =>
    graph.stackRows(maps.map((map, i) => predict(map, `Prediction/BoxPredictor_${i}/${kind}`, rowSize)));
  graph.output('boxes', rows('BoxEncodingPredictor', 4), ['anchors', 4]);
  graph.output('classes', rows('ClassPredictor', 3), ['anchors', 3]);
  return graph.encode();
}

/** A convolution followed by batch normalization is a convolution with other filters and a bias. */
function foldBatchNorm({ tensor }: NetworkWeights, prefix: string) {
  const filters = tensor(`${prefix}/depthwise_weights`);
  const gamma = tensor(`${prefix}/BatchNorm/gamma`).data;
  const beta = tensor(`${prefix}/BatchNorm/beta`).data;
  const mean = tensor(`${prefix}/BatchNorm/moving_mean`).data;
  const variance = tensor(`${prefix}/BatchNorm/moving_variance`).data;
  const factor = gamma.map((scale, channel) => scale / Math.sqrt(variance[channel]! + BATCH_NORM_EPSILON));
  return {
    filters: { shape: filters.shape, data: filters.data.map((weight, i) => weight * factor[i % factor.length]!) },
    bias: beta.map((shift, channel) => shift - mean[channel]! * factor[channel]!),
  };
}
