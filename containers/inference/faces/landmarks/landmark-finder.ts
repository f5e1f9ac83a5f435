import type { Box } from '../../../../domain/faces/face-quality.ts';
import type { Point, RgbImage } from '../../engine/engine.ts';
import { runModel } from '../../onnx/run-model.ts';
import { type SimilarityTransform, transformPoint } from '../geometry/similarity-transform.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { mirrorImage } from '../images/mirror-image.ts';
import { type CropShape, sampleCrop } from '../images/sample-crop.ts';
import { faceLandmarkNetwork, LANDMARK_INPUT_SIDE } from '../networks/face-landmark-network.ts';
import { loadNetwork } from '../networks/load-network.ts';
import { readFaceApiWeights } from '../networks/network-weights.ts';
import { CENTERED_PIXELS } from '../networks/pixel-layouts.ts';
import { fivePoints } from './five-points.ts';
import { landmarkExtent } from './landmark-extent.ts';
import { mirrorLandmarks } from './mirror-landmarks.ts';

/** How often the face is framed anew, upright and by its own landmarks instead of the detector's box. */
const REFINEMENTS = 2;
/** Side of that frame, in extents of the landmarks. */
const FRAME_SHARE = 1.2;
const FRAME: CropShape = {
  width: LANDMARK_INPUT_SIDE,
  height: LANDMARK_INPUT_SIDE,
  outside: 'black',
  detail: 'smooth',
};

export interface LandmarkFinder {
  /** 68 landmarks, in pixels of the image. @param angle radians by which the face is turned clockwise, about */
  find(pyramid: ImagePyramid, box: Box, angle?: number): Promise<Point[]>;
}

export async function loadLandmarkFinder(): Promise<LandmarkFinder & { readonly sha256: string }> {
  const { session, weights } = await loadNetwork(
    await readFaceApiWeights('face_landmark_68_model'),
    faceLandmarkNetwork,
  );

  async function inCrop(crop: RgbImage): Promise<Point[]> {
    const fractions = (await runModel(session, crop, CENTERED_PIXELS))('points').values;
    return Array.from({ length: fractions.length / 2 }, (_, i) => [
      fractions[2 * i]! * LANDMARK_INPUT_SIDE,
      fractions[2 * i + 1]! * LANDMARK_INPUT_SIDE,
    ]);
  }

  return {
    sha256: weights.sha256,

    async find(pyramid, box, angle = 0) {
      let landmarks: Point[] = [];
      for (let round = 0; round <= REFINEMENTS; round += 1) {
        const toImage = round === 0 ? frameOfBox(box, angle) : frameOfLandmarks(landmarks);
        const crop = sampleCrop(pyramid, toImage, FRAME);
        let points = await inCrop(crop);
        // The last word is the mean of the face and its mirror image: their errors cancel in part.
        if (round === REFINEMENTS)
          points = meanPoints(points, mirrorLandmarks(await inCrop(mirrorImage(crop)), LANDMARK_INPUT_SIDE));
        landmarks = points.map((point) => transformPoint(toImage, point));
      }
      return landmarks;
    },
  };
}

/** From the crop's pixels to the image's: a square around the middle of the box. */
function frameOfBox([x1, y1, x2, y2]: Box, angle: number): SimilarityTransform {
  const scale = Math.max(x2 - x1, y2 - y1) / LANDMARK_INPUT_SIDE;
  const a = scale * Math.cos(angle);
  const b = scale * Math.sin(angle);
  const middle = LANDMARK_INPUT_SIDE / 2;
  return { a, b, tx: (x1 + x2) / 2 - (a - b) * middle, ty: (y1 + y2) / 2 - (a + b) * middle };
}

/** A square around the landmarks, turned so that the eyes are level. */
function frameOfLandmarks(landmarks: readonly Point[]): SimilarityTransform {
  const [left, right] = fivePoints(landmarks);
  const angle = Math.atan2(right[1] - left[1], right[0] - left[0]);
  const level = landmarks.map((point) =>
    transformPoint({ a: Math.cos(-angle), b: Math.sin(-angle), tx: 0, ty: 0 }, point),
  );
  const [x1, y1, x2, y2] = landmarkExtent(level);
  const side = FRAME_SHARE * Math.max(x2 - x1, y2 - y1, 1);
  const turn = { a: Math.cos(angle), b: Math.sin(angle), tx: 0, ty: 0 };
  const [tx, ty] = transformPoint(turn, [(x1 + x2 - side) / 2, (y1 + y2 - side) / 2]);
  const scale = side / LANDMARK_INPUT_SIDE;
  return { a: turn.a * scale, b: turn.b * scale, tx, ty };
}

function meanPoints(first: readonly Point[], second: readonly Point[]): Point[] {
  return first.map(([x, y], i) => [(x + second[i]![0]) / 2, (y + second[i]![1]) / 2]);
}
