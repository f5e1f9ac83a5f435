import type { Box } from '../../../domain/faces/face-quality.ts';
import { suppressOverlaps } from './suppress-overlaps.ts';

export interface YoloDetection {
  /** Index of the class. */
  readonly class: number;
  readonly confidence: number;
  /** In pixels of the network's input. */
  readonly bbox: Box;
}

export interface YoloTerms {
  readonly layout: 'v5' | 'v8';
  readonly classes: number;
  readonly confidenceMin: number;
  /** Two boxes of one class that share more than this, intersection over union, are one thing. */
  readonly overlapMax: number;
}

/** Things in the output of a YOLO network: centre, size and confidences by column (v8) or by row with a confidence of its own (v5). */
export function decodeYolo(values: Float32Array, terms: YoloTerms): YoloDetection[] {
  const { layout, classes, confidenceMin, overlapMax } = terms;
  const first = layout === 'v5' ? 5 : 4;
  const fields = first + classes;
  if (values.length % fields !== 0) throw new Error(`${values.length} values are no rows of ${fields}`);
  const count = values.length / fields;
  const field = (row: number, index: number) => values[layout === 'v5' ? row * fields + index : index * count + row]!;
  const found: YoloDetection[] = [];
  for (let row = 0; row < count; row++) {
    const anything = layout === 'v5' ? field(row, 4) : 1;
    let [best, confidence] = [0, -1];
    for (let index = 0; index < classes; index++) {
      const value = anything * field(row, first + index);
      if (value > confidence) [best, confidence] = [index, value];
    }
    if (!(confidence >= confidenceMin)) continue;
    const [x, y, width, height] = [field(row, 0), field(row, 1), field(row, 2), field(row, 3)];
    const bbox: Box = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    found.push({ class: best, confidence, bbox });
  }
  return suppressOverlaps(found, overlapMax);
}
