import type { FivePoints, Point } from '../../engine/engine.ts';
import type { Detail } from '../images/sample-crop.ts';

/** Where the five points of a face belong in a square crop. */
export interface FaceTemplate {
  readonly side: number;
  readonly detail: Detail;
  readonly points: FivePoints;
}

/** The 112 × 112 crop of the field (ArcFace): face from brow to chin. Blur is measured on it. */
export const QUALITY_TEMPLATE: FaceTemplate = {
  side: 112,
  detail: 'edges',
  points: [
    [38.2946, 51.6963],
    [73.5318, 51.5014],
    [56.0252, 71.7366],
    [41.5493, 92.3655],
    [70.7299, 92.2041],
  ],
};

/** The same crop for an embedding network that was trained on it. */
export const EMBEDDING_TEMPLATE: FaceTemplate = { ...QUALITY_TEMPLATE, detail: 'smooth' };

/**
 * The 150 × 150 crop that dlib's recognition network, whose weights face-api carries, was trained on: the mean face of dlib's
 * `get_face_chip_details`, with a quarter of its size as margin on every side.
 */
export const DESCRIPTOR_TEMPLATE: FaceTemplate = {
  side: 150,
  detail: 'smooth',
  points: [
    chipPoint(0.22549, 0.21599),
    chipPoint(0.75476, 0.21599),
    chipPoint(0.490127, 0.515625),
    chipPoint(0.254149, 0.780233),
    chipPoint(0.726104, 0.780233),
  ],
};

function chipPoint(x: number, y: number): Point {
  const margin = 0.25;
  const side = 150;
  return [((x + margin) / (1 + 2 * margin)) * side, ((y + margin) / (1 + 2 * margin)) * side];
}
