import { type Box, qualityRejection } from '../../../domain/faces/face-quality.ts';
import type { EmbeddingChoice } from '../../../protocol/inference/wire.ts';
import type { FaceEngine, MeasuredFace, Point, RgbImage } from '../engine/engine.ts';
import type { DetectedFace } from './detection/detected-face.ts';
import { loadFaceDetector } from './detection/face-detector.ts';
import { mergeDetections } from './detection/merge-detections.ts';
import { embeddingModel } from './embedding/embedding-model.ts';
import type { EmbedderName } from './embedding/face-embedder.ts';
import { loadFaceEmbedder } from './embedding/load-face-embedder.ts';
import { ImagePyramid } from './images/image-pyramid.ts';
import { fivePoints } from './landmarks/five-points.ts';
import { landmarkExtent } from './landmarks/landmark-extent.ts';
import { loadLandmarkFinder } from './landmarks/landmark-finder.ts';
import { measureQuality } from './quality/measure-quality.ts';

/** A candidate this certain is a face; one less certain is one if a second look makes up for what is missing. */
const CONFIDENCE_MIN = 0.6;
/** Of a face, the landmarks span at least this share of the box; where there is none, they fall together on a spot. */
const LANDMARK_SPAN_MIN = 0.45;
/** Bounds on the time one photograph of a crowd takes; the most certain candidates come first. */
const CANDIDATES_MAX = 400;
const SECOND_LOOKS_MAX = 24;
const FACES_MAX = 200;

interface ConfirmedFace {
  readonly detected: Box;
  readonly confidence: number;
  readonly landmarks: readonly Point[];
  /** The landmarks fall together: a profile, or more of the head than of the face. */
  readonly turnedAway: boolean;
  /** What merging goes by. Two boxes of one face may lie apart, but their landmarks come to lie on each other. */
  readonly box: Box;
}

/** Finds and measures faces with the networks of the face-api package, and embeds them with the one that is named. */
export async function loadEmbeddedFaceEngine(embedding: EmbedderName): Promise<FaceEngine> {
  const detector = await loadFaceDetector();
  const finder = await loadLandmarkFinder();
  const embedder = await loadFaceEmbedder(embedding);

  /** The faces among the candidates. */
  async function confirm(pyramid: ImagePyramid, candidates: readonly DetectedFace[]): Promise<ConfirmedFace[]> {
    const faces: ConfirmedFace[] = [];
    let looksLeft = SECOND_LOOKS_MAX;
    for (const { box, confidence } of candidates.slice(0, CANDIDATES_MAX)) {
      const landmarks = await finder.find(pyramid, box);
      const extent = landmarkExtent(landmarks);
      const turnedAway = longerSide(extent) < LANDMARK_SPAN_MIN * longerSide(box);
      const face = { detected: box, landmarks, turnedAway, box: turnedAway ? box : extent };
      if (confidence >= CONFIDENCE_MIN) faces.push({ ...face, confidence });
      else if (!turnedAway && looksLeft > 0) {
        looksLeft -= 1;
        const second = await detector.lookAgain(pyramid, box, CONFIDENCE_MIN);
        if (confidence + second >= CONFIDENCE_MIN) faces.push({ ...face, confidence: Math.max(confidence, second) });
      }
    }
    return faces;
  }

  return {
    model: embeddingModel(finder.sha256, embedder),

    async analyze(image: RgbImage, embed: EmbeddingChoice) {
      const pyramid = new ImagePyramid(image);
      const confirmed = await confirm(pyramid, await detector.detect(pyramid));
      const measured = mergeDetections(confirmed)
        .slice(0, FACES_MAX)
        .flatMap((face) => measure(pyramid, face) ?? [])
        .toSorted((first, second) => area(second.bbox) - area(first.bbox));

      const faces: MeasuredFace[] = [];
      for (const [rank, face] of measured.entries()) {
        const wanted =
          embed === 'largest' ? rank === 0 : embed === 'qualified' && qualityRejection(face.quality) === null;
        faces.push(wanted ? { ...face, embedding: await embedder.embed(pyramid, face.landmarks) } : face);
      }
      return faces;
    },
  };
}

/** Null for a face that lies wholly outside the image. */
function measure(pyramid: ImagePyramid, face: ConfirmedFace): MeasuredFace | null {
  const bbox = wholePixels(face.detected, pyramid.image);
  if (bbox === null) return null;
  const landmarks = fivePoints(face.landmarks);
  return {
    bbox,
    confidence: Math.round(face.confidence * 1e4) / 1e4,
    landmarks,
    quality: measureQuality(pyramid, bbox, face.landmarks, landmarks, face.turnedAway),
    embedding: null,
  };
}

/** Clipped to the image, corners on whole pixels; null where nothing of it is left. */
function wholePixels([x1, y1, x2, y2]: Box, { width, height }: RgbImage): Box | null {
  const left = Math.max(0, Math.round(x1));
  const top = Math.max(0, Math.round(y1));
  const right = Math.min(width, Math.round(x2));
  const bottom = Math.min(height, Math.round(y2));
  return left < right && top < bottom ? [left, top, right, bottom] : null;
}

function longerSide([x1, y1, x2, y2]: Box): number {
  return Math.max(x2 - x1, y2 - y1);
}

function area([x1, y1, x2, y2]: Box): number {
  return (x2 - x1) * (y2 - y1);
}
