import type { DetectedPoints } from './detected-points.ts';

export interface ScrfdStride {
  readonly stride: number;
  /** One an anchor, 0..1. */
  readonly scores: Float32Array;
  /** Left, top, right and bottom, as distances from the anchor in strides. */
  readonly boxes: Float32Array;
  /** Five points, relative to the anchor in strides. */
  readonly landmarks: Float32Array;
}

export interface ScrfdTerms {
  /** Of the network's input, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly anchorsPerCell: number;
  readonly confidenceMin: number;
}

/** Faces of one stride of an SCRFD network, in pixels of its input. Anchors lie on the top left corners of their cells, row by row. */
export function decodeScrfd({ stride, scores, boxes, landmarks }: ScrfdStride, terms: ScrfdTerms): DetectedPoints[] {
  const { anchorsPerCell, confidenceMin } = terms;
  const columns = Math.ceil(terms.width / stride);
  const anchors = columns * Math.ceil(terms.height / stride) * anchorsPerCell;
  if (scores.length !== anchors || boxes.length !== 4 * anchors || landmarks.length !== 10 * anchors)
    throw new Error(`stride ${stride} has ${scores.length} scores, not ${anchors}`);
  const faces: DetectedPoints[] = [];
  for (let anchor = 0; anchor < anchors; anchor++) {
    const confidence = scores[anchor]!;
    if (!(confidence >= confidenceMin)) continue;
    const cell = Math.floor(anchor / anchorsPerCell);
    const [x, y] = [(cell % columns) * stride, Math.floor(cell / columns) * stride];
    const distance = (side: number) => boxes[4 * anchor + side]! * stride;
    const point = (index: number) =>
      [x + landmarks[10 * anchor + 2 * index]! * stride, y + landmarks[10 * anchor + 2 * index + 1]! * stride] as const;
    faces.push({
      confidence,
      box: [x - distance(0), y - distance(1), x + distance(2), y + distance(3)],
      landmarks: [point(0), point(1), point(2), point(3), point(4)],
    });
  }
  return faces;
}
