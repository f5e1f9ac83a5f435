import { boxOverlap } from '../../../../domain/faces/box-overlap.ts';
import type { Box } from '../../../../domain/faces/face-quality.ts';
import type { Point, RgbImage } from '../../engine/engine.ts';
import { runModel } from '../../onnx/run-model.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { type CropShape, sampleCrop } from '../images/sample-crop.ts';
import { DETECTOR_INPUT_SIDE, faceDetectorNetwork } from '../networks/face-detector-network.ts';
import { type LoadedNetwork, loadNetwork } from '../networks/load-network.ts';
import { readFaceApiWeights } from '../networks/network-weights.ts';
import { SIGNED_PIXELS } from '../networks/pixel-layouts.ts';
import { decodeDetections, type Window } from './decode-detections.ts';
import type { DetectedFace } from './detected-face.ts';
import { detectionWindows } from './detection-windows.ts';
import { mergeDetections } from './merge-detections.ts';

/** Below this not even a second look is worth its time. */
const CANDIDATE_CONFIDENCE_MIN = 0.2;
/** What a second look finds may be fainter: it only adds to the first. */
const SECOND_LOOK_CONFIDENCE_MIN = 0.05;
/** A box that comes nearer than this share of the side to a tile's inner edge may be half a face; the next tile has it whole. */
const EDGE_SHARE = 0.01;
/** Boxes below 20 of the detector's 512 pixels are too vague to merge with a tile's, where such a face is larger. */
const SHARE_LEFT_TO_TILES = 0.04;
/** Sides of the windows for a second look, in sides of the candidate's box. */
const SECOND_LOOKS = [2.2, 3.5];
const SAME_FACE_OVERLAP = 0.35;
/** Of a view that is turned with a face, which takes about 0.45 of its side. */
const TURNED_FACE_SHARE_MIN = 1 / 6;
/** What the detector is given to see. */
const VIEW: CropShape = {
  width: DETECTOR_INPUT_SIDE,
  height: DETECTOR_INPUT_SIDE,
  outside: 'black',
  detail: 'smooth',
};
/** Where nothing is sure, the detector steps back to this many sides of the image: a face may fill it to the edges. */
const STEP_BACK = 2.5;
const SURE = 0.6;

export interface FaceDetector {
  /** Candidates all over the image, certain or not, one a face. */
  detect(pyramid: ImagePyramid): Promise<DetectedFace[]>;
  /** How sure the detector is of a candidate that fills more of its view; looks from farther off until it is sure enough. */
  lookAgain(pyramid: ImagePyramid, box: Box, confidenceEnough: number): Promise<number>;
  /** How sure the detector is of a face in the middle of a view that is turned as the face may be. */
  lookTurned(pyramid: ImagePyramid, view: TurnedView): Promise<number>;
}

/** A square of the image that need not be level. */
interface TurnedView {
  readonly center: Point;
  /** In pixels of the image. */
  readonly side: number;
  /** Radians from the image's horizontal to the view's, clockwise. */
  readonly angle: number;
}

export async function loadFaceDetector(): Promise<FaceDetector> {
  const network = await loadNetwork(await readFaceApiWeights('ssd_mobilenetv1_model'), faceDetectorNetwork);
  return {
    async detect(pyramid) {
      const { width, height } = pyramid.image;
      const found: DetectedFace[] = [];
      const windows = detectionWindows(width, height);
      const finest = Math.min(...windows.map(({ side }) => side));
      for (const window of windows)
        for (const face of await look(network, pyramid, window, CANDIDATE_CONFIDENCE_MIN)) {
          const leftToTiles = window.side > finest && longerSide(face.box) < window.side * SHARE_LEFT_TO_TILES;
          if (!leftToTiles && !isCut(face.box, window, width, height)) found.push(face);
        }
      if (!found.some(({ confidence }) => confidence >= SURE)) {
        const side = Math.max(width, height) * STEP_BACK;
        const fartherOff = { x: (width - side) / 2, y: (height - side) / 2, side };
        found.push(...(await look(network, pyramid, fartherOff, CANDIDATE_CONFIDENCE_MIN)));
      }
      return mergeDetections(found);
    },

    async lookAgain(pyramid, box, confidenceEnough) {
      const [x1, y1, x2, y2] = box;
      let confidence = 0;
      for (const sides of SECOND_LOOKS) {
        if (confidence >= confidenceEnough) break;
        const side = sides * longerSide(box);
        const window = { x: (x1 + x2 - side) / 2, y: (y1 + y2 - side) / 2, side };
        for (const face of await look(network, pyramid, window, SECOND_LOOK_CONFIDENCE_MIN))
          if (boxOverlap(face.box, box) >= SAME_FACE_OVERLAP) confidence = Math.max(confidence, face.confidence);
      }
      return confidence;
    },

    async lookTurned(pyramid, { center: [x, y], side, angle }) {
      const scale = side / DETECTOR_INPUT_SIDE;
      const a = scale * Math.cos(angle);
      const b = scale * Math.sin(angle);
      const middle = DETECTOR_INPUT_SIDE / 2;
      const toImage = { a, b, tx: x - (a - b) * middle, ty: y - (a + b) * middle };
      const { boxes, classes, anchors } = await run(network, sampleCrop(pyramid, toImage, VIEW));
      const inView = { x: 0, y: 0, side: DETECTOR_INPUT_SIDE };
      const faces = decodeDetections({ boxes, classes }, anchors, inView, SECOND_LOOK_CONFIDENCE_MIN);
      return Math.max(0, ...faces.filter(({ box }) => isInMiddle(box)).map(({ confidence }) => confidence));
    },
  };
}

/** Not a smaller face beside the one that is meant. */
function isInMiddle(box: Box): boolean {
  const [x1, y1, x2, y2] = box;
  const middle = DETECTOR_INPUT_SIDE / 2;
  const covers = x1 < middle && middle < x2 && y1 < middle && middle < y2;
  return covers && longerSide(box) > DETECTOR_INPUT_SIDE * TURNED_FACE_SHARE_MIN;
}

async function run({ session, weights }: LoadedNetwork, crop: RgbImage) {
  const outputs = await runModel(session, crop, SIGNED_PIXELS);
  return {
    boxes: outputs('boxes').values,
    classes: outputs('classes').values,
    anchors: weights.tensor('Output/extra_dim').data,
  };
}

async function look(
  network: LoadedNetwork,
  pyramid: ImagePyramid,
  window: Window,
  confidenceMin: number,
): Promise<DetectedFace[]> {
  const toImage = { a: window.side / DETECTOR_INPUT_SIDE, b: 0, tx: window.x, ty: window.y };
  const crop = sampleCrop(pyramid, toImage, VIEW);
  const { boxes, classes, anchors } = await run(network, crop);
  return mergeDetections(decodeDetections({ boxes, classes }, anchors, window, confidenceMin));
}

function longerSide([x1, y1, x2, y2]: Box): number {
  return Math.max(x2 - x1, y2 - y1);
}

function isCut([x1, y1, x2, y2]: Box, { x, y, side }: Window, width: number, height: number): boolean {
  const margin = side * EDGE_SHARE;
  return (
    (x > margin && x1 < x + margin) ||
    (y > margin && y1 < y + margin) ||
    (x + side < width - margin && x2 > x + side - margin) ||
    (y + side < height - margin && y2 > y + side - margin)
  );
}
