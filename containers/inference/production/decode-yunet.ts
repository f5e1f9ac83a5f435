import type { DetectedPoints } from './detected-points.ts';

export interface YunetStride {
  readonly stride: number;
  /** How sure the network is that a face, and that anything, is centred on a cell. */
  readonly classes: Float32Array;
  readonly objects: Float32Array;
  /** Centre relative to the cell, in cells, and the logarithm of the size in cells. */
  readonly boxes: Float32Array;
  /** Five points relative to the cell, in cells. */
  readonly landmarks: Float32Array;
}

export interface YunetTerms {
  /** Of the network's input, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly confidenceMin: number;
}

/** Faces of one stride of a YuNet network, in pixels of its input; one a cell, row by row. Its confidence is the geometric mean of two. */
export function decodeYunet(
  { stride, classes, objects, boxes, landmarks }: YunetStride,
  terms: YunetTerms,
): DetectedPoints[] {
  const columns = Math.floor(terms.width / stride);
  const cells = columns * Math.floor(terms.height / stride);
  if (
    classes.length !== cells ||
    objects.length !== cells ||
    boxes.length !== 4 * cells ||
    landmarks.length !== 10 * cells
  )
    throw new Error(`stride ${stride} has ${classes.length} cells, not ${cells}`);
  const faces: DetectedPoints[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const confidence = Math.sqrt(unit(classes[cell]!) * unit(objects[cell]!));
    if (!(confidence >= terms.confidenceMin)) continue;
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const [x, y] = [(column + boxes[4 * cell]!) * stride, (row + boxes[4 * cell + 1]!) * stride];
    const [width, height] = [Math.exp(boxes[4 * cell + 2]!) * stride, Math.exp(boxes[4 * cell + 3]!) * stride];
    const point = (index: number) =>
      [
        (column + landmarks[10 * cell + 2 * index]!) * stride,
        (row + landmarks[10 * cell + 2 * index + 1]!) * stride,
      ] as const;
    faces.push({
      confidence,
      box: [x - width / 2, y - height / 2, x + width / 2, y + height / 2],
      landmarks: [point(0), point(1), point(2), point(3), point(4)],
    });
  }
  return faces;
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
