import { NetworkGraph, type Value } from './network-graph.ts';
import type { NetworkWeights } from './network-weights.ts';

/** Side of the square crop that the network looks at, in pixels. */
const INPUT_SIDE = 112;
/** Width of its embedding. */
export const MOBILE_FACE_NET_DIMENSIONS = 192;

/** Stages of inverted residual blocks. The first block of a stage that halves the resolution adds nothing of its input. */
const STAGES = [
  { name: 'Conv2d_2', blocks: 5, halves: true },
  { name: 'Conv2d_3', blocks: 1, halves: true },
  { name: 'Conv2d_4', blocks: 6, halves: false },
  { name: 'Conv2d_5', blocks: 1, halves: true },
  { name: 'Conv2d_6', blocks: 2, halves: false },
] as const;

/**
 * MobileFaceNet (Chen et al., 2018), of the human-models package: input [1, 3, 112, 112], output `embedding` [1, 192] of unit length.
 *
 * The package's own graph is damaged: it computes a PReLU as `relu(x) + mul · (x − |x|)`, but its `mul` has the wrong sign, and after
 * depthwise convolutions it has lost the `x` before the ReLU. Here each has the slope that its `mul` was made from, −2 · `mul`.
 */
export function mobileFaceNet({ tensor }: NetworkWeights): Uint8Array {
  const graph = new NetworkGraph([1, 3, INPUT_SIDE, INPUT_SIDE]);

  const conv = (input: Value, name: string, stride: 1 | 2 = 1, padding: 'same' | 'valid' = 'same'): Value =>
    graph.conv(input, tensor(`${name}/Conv2D_weights`), tensor(`${name}/Conv2D_bn_offset`).data, stride, padding);
  const depthwise = (input: Value, name: string, stride: 1 | 2 = 1, padding: 'same' | 'valid' = 'same'): Value => {
    const filters = tensor(`${name}/depthwise_weights`);
    return graph.depthwiseConv(input, filters, tensor(`${name}/depthwise_bn_offset`).data, stride, padding);
  };
  const prelu = (input: Value, name: string): Value => graph.prelu(input, slopesOf(tensor(`${name}/mul`).data));
  const block = (input: Value, name: string, stride: 1 | 2): Value => {
    const wide = prelu(conv(input, `${name}/Conv`), `${name}/Conv`);
    const seen = prelu(depthwise(wide, `${name}/SeparableConv2d`, stride), `${name}/SeparableConv2d`);
    const narrow = conv(seen, `${name}/Conv_1`);
    return stride === 1 ? graph.add(narrow, input) : narrow;
  };

  const body = 'MobileFaceNet/MobileFaceNet';
  let value = prelu(conv(graph.input, `${body}/Conv2d_0`, 2), `${body}/Conv2d_0`);
  value = prelu(depthwise(value, `${body}/SeparableConv2d`), `${body}/SeparableConv2d`);
  value = conv(value, `${body}/Conv`);
  for (const { name, blocks, halves } of STAGES)
    for (let at = 0; at < blocks; at += 1)
      value = block(value, `${body}/${name}_InvResBlock_${at}`, halves && at === 0 ? 2 : 1);
  value = prelu(conv(value, `${body}/Conv2d_7`), `${body}/Conv2d_7`);

  const logits = 'MobileFaceNet/Logits';
  value = depthwise(value, `${logits}/SeparableConv2d`, 1, 'valid');
  value = conv(value, `${logits}/Conv`, 1, 'valid');
  value = conv(value, `${logits}/LinearConv1x1`);
  graph.output('embedding', graph.unitRows(value), [1, MOBILE_FACE_NET_DIMENSIONS]);
  return graph.encode();
}

function slopesOf(mul: Float32Array): Float32Array {
  return mul.map((value) => -2 * value);
}
