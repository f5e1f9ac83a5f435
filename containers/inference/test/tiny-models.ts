import { ELEMENT_TYPE, encodeOnnxModel, type OnnxConstant, type OnnxNode, type OnnxValue } from '../onnx/onnx-model.ts';

/**
 * Small networks that truly find what they are for in the pixels they are given, so that the whole production path can be run without a
 * download: detectors of coloured rectangles, an embedding of colours by place, a restorer that paints blue, an upscaler that repeats.
 * Pixels enter them as 0..1.
 */

/** Side of the detectors' input. */
export const DETECTOR_SIDE = 64;

/** Where the five points of a rectangle that counts as a face lie, in shares of its sides. */
const FACE_POINTS = [
  [0.3, 0.35],
  [0.7, 0.35],
  [0.5, 0.55],
  [0.35, 0.75],
  [0.65, 0.75],
] as const;

/** What stands out from a picture: weights of red, green and blue, of which at least 0.3 must remain. */
const COLOURS = { red: [1, -1, -1], green: [-0.5, 1, -0.5], blue: [-1, -1, 1] } as const;

/** Collects nodes and constants. */
class Graph {
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxConstant[] = [];

  add(op: string, inputs: readonly string[], attributes: NonNullable<OnnxNode['attributes']> = {}): string {
    const output = `v${this.nodes.length}`;
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  constant(shape: readonly number[], values: readonly number[]): string {
    const name = `c${this.constants.length}`;
    this.constants.push({ name, shape, values: Float32Array.from(values) });
    return name;
  }

  integers(sizes: readonly number[]): string {
    const name = `c${this.constants.length}`;
    this.constants.push({ name, shape: [sizes.length], values: BigInt64Array.from(sizes, BigInt) });
    return name;
  }

  encode(
    input: string,
    side: number | string,
    outputs: Readonly<Record<string, readonly [value: string, shape: (number | string)[]]>>,
    further: readonly OnnxValue[] = [],
  ) {
    for (const [name, [value]] of Object.entries(outputs))
      this.nodes.push({ op: 'Identity', inputs: [value], outputs: [name] });
    return encodeOnnxModel({
      name: 'tiny',
      inputs: [{ name: input, type: 'float', shape: [1, 3, side, side] }, ...further],
      outputs: Object.entries(outputs).map(([name, [, shape]]) => ({ name, type: 'float', shape })),
      nodes: this.nodes,
      constants: this.constants,
    });
  }
}

/** The rectangle around all pixels of a colour, [1, 4] in shares of the side, and whether there is one, [1, 1]. */
function rectangle(graph: Graph, input: string, colour: keyof typeof COLOURS) {
  const side = DETECTOR_SIDE;
  const weights = graph.constant([1, 3, 1, 1], COLOURS[colour]);
  const excess = graph.add('Conv', [input, weights, graph.constant([1], [-0.3])], { kernel_shape: [1, 1] });
  const steep = graph.add('Mul', [excess, graph.constant([], [1_000])]);
  const mask = graph.add('Clip', [steep, graph.constant([], [0]), graph.constant([], [1])]);
  const furthest = (axes: readonly number[], ramp: readonly number[], shape: readonly number[]) => {
    const line = graph.add('ReduceMax', [mask], { axes: axes.slice(0, 1), keepdims: 1 });
    return graph.add('ReduceMax', [graph.add('Mul', [line, graph.constant(shape, ramp)])], {
      axes: [1, 2, 3],
      keepdims: 0,
    });
  };
  const forth = Array.from({ length: side }, (_, at) => (at + 1) / side);
  const back = Array.from({ length: side }, (_, at) => 1 - at / side);
  const from = (value: string) => graph.add('Sub', [graph.constant([], [1]), value]);
  const corners = [
    from(furthest([2], back, [1, 1, 1, side])),
    from(furthest([3], back, [1, 1, side, 1])),
    furthest([2], forth, [1, 1, 1, side]),
    furthest([3], forth, [1, 1, side, 1]),
  ].map((corner) => graph.add('Reshape', [corner, graph.integers([1, 1])]));
  const there = graph.add('Reshape', [
    graph.add('ReduceMax', [mask], { axes: [1, 2, 3], keepdims: 0 }),
    graph.integers([1, 1]),
  ]);
  return { corners: graph.add('Concat', corners, { axis: 1 }), there };
}

/** [x1, y1, x2, y2] → [x, y, width, height] of the centre. */
function centred(graph: Graph, corners: string): string {
  return graph.add('MatMul', [
    corners,
    graph.constant([4, 4], [0.5, 0, -1, 0, 0, 0.5, 0, -1, 0.5, 0, 1, 0, 0, 0.5, 0, 1]),
  ]);
}

/** A detector as the YOLOS family exports it: class 0 is red, class 1 is blue, class 2 is the background. */
export function yolosDetector(): Uint8Array {
  const graph = new Graph();
  const found = (['red', 'blue'] as const).map((colour) => rectangle(graph, 'pixel_values', colour));
  const logits = found.map(({ there }, at) => {
    const sure = graph.add('Mul', [there, graph.constant([1, 3], [at === 0 ? 12 : 0, at === 1 ? 12 : 0, 0])]);
    return graph.add('Add', [sure, graph.constant([1, 3], [0, 0, 6])]);
  });
  const boxes = found.map(({ corners }) => centred(graph, corners));
  const stack = (rows: readonly string[]) =>
    graph.add('Unsqueeze', [graph.add('Concat', rows, { axis: 0 }), graph.integers([0])]);
  return graph.encode('pixel_values', DETECTOR_SIDE, {
    logits: [stack(logits), [1, 2, 3]],
    pred_boxes: [stack(boxes), [1, 2, 4]],
  });
}

/** Numbers of the words that the zero-shot detector knows. */
export const WORDS = { '<pad>': 0, a: 1, knife: 2, gun: 3, '<unknown>': 4 } as const;

/** A detector as OWL-ViT exports it: what is asked for with the word knife is red, with the word gun blue. */
export function owlVitDetector(): Uint8Array {
  const graph = new Graph();
  const columns = (['red', 'blue'] as const).map((colour, at) => {
    const { corners, there } = rectangle(graph, 'pixel_values', colour);
    const asked = graph.add('Equal', ['input_ids', graph.integers([at === 0 ? WORDS.knife : WORDS.gun])]);
    const isAsked = graph.add('ReduceMax', [graph.add('Cast', [asked], { to: ELEMENT_TYPE.float })], {
      axes: [1],
      keepdims: 0,
    });
    const sure = graph.add('Mul', [graph.add('Mul', [there, isAsked]), graph.constant([], [12])]);
    return { logits: graph.add('Sub', [sure, graph.constant([], [6])]), box: centred(graph, corners) };
  });
  // Attention is of no use to it, yet it is given.
  const mask = graph.add('Cast', ['attention_mask'], { to: ELEMENT_TYPE.float });
  const nothing = graph.add('Mul', [graph.add('ReduceMax', [mask], { keepdims: 0 }), graph.constant([], [0])]);
  const stack = (rows: readonly string[]) =>
    graph.add('Unsqueeze', [graph.add('Concat', rows, { axis: 0 }), graph.integers([0])]);
  const words: OnnxValue['shape'] = ['labels', 'length'];
  return graph.encode(
    'pixel_values',
    DETECTOR_SIDE,
    {
      logits: [graph.add('Add', [stack(columns.map(({ logits }) => logits)), nothing]), [1, 2, 'labels']],
      pred_boxes: [stack(columns.map(({ box }) => box)), [1, 2, 4]],
    },
    [
      { name: 'input_ids', type: 'int64', shape: words },
      { name: 'attention_mask', type: 'int64', shape: words },
    ],
  );
}

/** A detector as YOLOv8 exports it, [1, 4 + 2, 2]: class 0 is red, class 1 is blue. */
export function yoloV8Detector(): Uint8Array {
  const graph = new Graph();
  const rows = (['red', 'blue'] as const).map((colour, at) => {
    const { corners, there } = rectangle(graph, 'images', colour);
    const box = graph.add('Mul', [centred(graph, corners), graph.constant([], [DETECTOR_SIDE])]);
    const scores = graph.add('Mul', [there, graph.constant([1, 2], at === 0 ? [0.9, 0] : [0, 0.9])]);
    return graph.add('Concat', [box, scores], { axis: 1 });
  });
  const byColumn = graph.add('Transpose', [graph.add('Concat', rows, { axis: 0 })], { perm: [1, 0] });
  return graph.encode('images', DETECTOR_SIDE, {
    output0: [graph.add('Unsqueeze', [byColumn, graph.integers([0])]), [1, 6, 2]],
  });
}

/** A face detector as SCRFD exports it, of strides 8 and 16 with two anchors a cell: a face is a green rectangle. */
export function scrfdDetector(): Uint8Array {
  const graph = new Graph();
  const { corners, there } = rectangle(graph, 'input.1', 'green');
  const pixels = graph.add('Mul', [corners, graph.constant([], [DETECTOR_SIDE])]);
  const outputs: Record<string, [string, (number | string)[]]> = {};
  for (const stride of [8, 16]) {
    const cells = DETECTOR_SIDE / stride;
    const anchors = Array.from({ length: cells * cells * 2 }, (_, at) => {
      const cell = Math.floor(at / 2);
      return [(cell % cells) * stride, Math.floor(cell / cells) * stride] as const;
    });
    const count = anchors.length;
    const outward = graph.constant([1, 4], [1, 1, -1, -1]);
    const anchorCorners = graph.constant(
      [count, 4],
      anchors.flatMap(([x, y]) => [x, y, x, y]),
    );
    const inside = graph.add('Mul', [graph.add('Sub', [anchorCorners, pixels]), outward]);
    const nearest = graph.add('ReduceMin', [inside], { axes: [1], keepdims: 1 });
    const isInside = graph.add('Clip', [nearest, graph.constant([], [0]), graph.constant([], [1])]);
    // The coarser stride sees it too, less surely.
    const sure = graph.add('Mul', [there, graph.constant([], [stride === 8 ? 0.9 : 0.7])]);
    const toPoints = graph.constant(
      [4, 10],
      [0, 1, 2, 3].flatMap((corner) =>
        FACE_POINTS.flatMap((point) =>
          [0, 1].map((axis) =>
            corner % 2 !== axis ? 0 : corner < 2 ? 1 - point[axis as 0 | 1] : point[axis as 0 | 1],
          ),
        ),
      ),
    );
    const anchorPoints = graph.constant(
      [count, 10],
      anchors.flatMap(([x, y]) => FACE_POINTS.flatMap(() => [x, y])),
    );
    const points = graph.add('Sub', [graph.add('MatMul', [pixels, toPoints]), anchorPoints]);
    const inStrides = (value: string) => graph.add('Mul', [value, graph.constant([], [1 / stride])]);
    outputs[`score_${stride}`] = [graph.add('Mul', [isInside, sure]), [count, 1]];
    outputs[`bbox_${stride}`] = [inStrides(inside), [count, 4]];
    outputs[`kps_${stride}`] = [inStrides(points), [count, 10]];
  }
  const ordered = ['score', 'bbox', 'kps'].flatMap((name) => [8, 16].map((stride) => `${name}_${stride}`));
  return graph.encode('input.1', DETECTOR_SIDE, Object.fromEntries(ordered.map((name) => [name, outputs[name]!])));
}

/** 48 numbers of a 112 × 112 face: its mean colours in a grid of four by four. */
export function colourEmbedding(): Uint8Array {
  const graph = new Graph();
  const grid = graph.add('AveragePool', ['data'], { kernel_shape: [28, 28], strides: [28, 28] });
  return graph.encode('data', 112, { embedding: [graph.add('Flatten', [grid]), [1, 48]] });
}

/** Of a face in -1..1, whatever it is, a blue one in -1..1. */
export function blueRestorer(): Uint8Array {
  const graph = new Graph();
  const nothing = graph.constant(
    [3, 3, 1, 1],
    Array.from({ length: 9 }, () => 0),
  );
  const blue = graph.add('Conv', ['input', nothing, graph.constant([3], [-1, -1, 1])], { kernel_shape: [1, 1] });
  return graph.encode('input', 'side', { output: [blue, [1, 3, 'side', 'side']] });
}

/** Repeats each pixel two by two. */
export function repeatingUpscaler(): Uint8Array {
  const graph = new Graph();
  const copies = Array.from({ length: 12 * 3 }, (_, at) => (Math.floor(at / 3) % 3 === at % 3 ? 1 : 0));
  const four = graph.add('Conv', ['image', graph.constant([12, 3, 1, 1], copies)], { kernel_shape: [1, 1] });
  const dealt = graph.add('DepthToSpace', [four], { blocksize: 2, mode: 'DCR' });
  return graph.encode('image', 'side', { enlarged: [dealt, [1, 3, 'doubled', 'doubled']] });
}
