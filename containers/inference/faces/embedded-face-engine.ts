import { type Box, type Misalignment, qualityRejection } from '../../../domain/faces/face-quality.ts';
import type { EmbeddingChoice } from '../../../protocol/inference/wire.ts';
import type { FaceEngine, FivePoints, MeasuredFace, Point, RgbImage } from '../engine/engine.ts';
import { shareOutside } from './alignment/share-outside.ts';
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
import { rollOf } from './orientation/roll-of.ts';
import { surestTurn } from './orientation/surest-turn.ts';
import { boxInImage, inImage, type Quarter, turnedBack } from './orientation/turned-image.ts';
import { measureQuality } from './quality/measure-quality.ts';

/** A candidate this certain is a face; one less certain is one if a second look makes up for what is missing. */
const CONFIDENCE_MIN = 0.6;
/** Of a face, the landmarks span at least this share of the box; where there is none, they fall together on a spot. */
const LANDMARK_SPAN_MIN = 0.45;
/** Bounds on the time one photograph of a crowd takes; the most certain candidates come first. */
const CANDIDATES_MAX = 400;
const SECOND_LOOKS_MAX = 24;
const FACES_MAX = 200;
/** Side of the view in which a face is looked at from four sides, in sides of its box. */
const VIEW_SIDES = 2.2;
/** Of a picture, so many poor faces of this many pixels are turned to see whether they are good upright: each costs four looks or more. */
const POOR_TURNED_MAX = 4;
const TURNED_SIZE_MIN = 80;
/** Once so many faces of a picture stand upright, and none is turned, one look at each of the others is enough: a crowd must not take minutes. */
const STANDING_MIN = 8;
/** A first turn places the landmarks, a second mends what they say of the roll. */
const TURNS_MAX = 2;
/** A picture that ends at the face's box lacks 0.22 to 0.46 of the aligned crop, half a face 0.58 and more (photographs of groups). */
const OUTSIDE_MAX = 0.5;

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
      const face = placed({ detected: box, confidence }, await finder.find(pyramid, box));
      if (confidence >= CONFIDENCE_MIN) faces.push(face);
      else if (!face.turnedAway && looksLeft > 0) {
        looksLeft -= 1;
        const second = await detector.lookAgain(pyramid, box, CONFIDENCE_MIN);
        if (confidence + second >= CONFIDENCE_MIN) faces.push({ ...face, confidence: Math.max(confidence, second) });
      }
    }
    return faces;
  }

  /** Its landmarks anew, until it stands upright by them; null where it never does. */
  async function turnUpright(
    pyramid: ImagePyramid,
    face: ConfirmedFace,
    isLikelyUpright: boolean,
  ): Promise<ConfirmedFace | null> {
    let turned = face;
    for (let turns = 0; turns <= TURNS_MAX; turns += 1) {
      const points = fivePoints(turned.landmarks);
      const view = { center: meanOf(points), side: VIEW_SIDES * longerSide(turned.detected) };
      const roll = rollOf(points);
      const lookAt = (angle: number) => detector.lookTurned(pyramid, { ...view, angle: roll + angle });
      const turn = await surestTurn(lookAt, isLikelyUpright && turns === 0);
      if (turn === 0) return turned;
      if (turn === null) return null;
      turned = placed(turned, await finder.find(pyramid, turned.detected, roll + turn));
    }
    return null;
  }

  /** The faces of a picture as it stands, largest first. Those that are wanted are turned upright, and embedded where that succeeds. */
  async function examine(image: RgbImage, embed: EmbeddingChoice): Promise<MeasuredFace[]> {
    const pyramid = new ImagePyramid(image);
    const confirmed = await confirm(pyramid, await detector.detect(pyramid));
    const seen = mergeDetections(confirmed)
      .slice(0, FACES_MAX)
      .flatMap((face) => {
        const measured = measure(pyramid, face);
        return measured === null ? [] : [{ face, measured }];
      })
      .toSorted((first, second) => area(second.measured.bbox) - area(first.measured.bbox));

    const faces: MeasuredFace[] = [];
    let poorLeft = POOR_TURNED_MAX;
    let standing = 0;
    let turned = 0;
    for (const [rank, { face, measured }] of seen.entries()) {
      // What does not stand upright measures poor, whatever it is.
      const mayBeGood = isGood(measured) || (measured.quality.face_size >= TURNED_SIZE_MIN && poorLeft-- > 0);
      if (embed === 'largest' ? rank > 0 : embed === 'none' || !mayBeGood) {
        faces.push(measured);
        continue;
      }
      const upright = await turnUpright(pyramid, face, standing >= STANDING_MIN && turned === 0);
      if (upright === face) standing += 1;
      else if (upright !== null) turned += 1;
      if (upright === null && !isGood(measured) && embed === 'qualified') {
        faces.push(measured);
        continue;
      }
      const checked = upright === null ? misaligned(measured, 'not_upright') : (measure(pyramid, upright) ?? measured);
      const embeds = checked.quality.misaligned === undefined && (embed === 'largest' || isGood(checked));
      faces.push(embeds ? { ...checked, embedding: await embedder.embed(pyramid, checked.landmarks) } : checked);
    }
    return faces;
  }

  return {
    model: embeddingModel(finder.sha256, embedder),

    async analyze(image: RgbImage, embed: EmbeddingChoice) {
      const faces = await examine(image, embed);
      const quarter = embed === 'qualified' ? quarterOfPicture(faces) : 0;
      if (quarter === 0) return faces;
      // The detector misses half of the faces of a picture that stands on its side or its head.
      const turned = await examine(turnedBack(image, quarter), embed);
      const found = turned.map((face) => ({
        ...face,
        bbox: boxInImage(face.bbox, quarter, image),
        landmarks: face.landmarks.map((point) => inImage(point, quarter, image)) as unknown as FivePoints,
      }));
      return oneOfEach([...faces, ...found]).toSorted((first, second) => area(second.bbox) - area(first.bbox));
    },
  };
}

/** By how many quarters the picture is turned, if a face that was turned upright says so. */
function quarterOfPicture(faces: readonly MeasuredFace[]): Quarter {
  const turns = faces
    .filter(({ embedding }) => embedding !== null)
    .map(({ landmarks }) => ((Math.round(rollOf(landmarks) / (Math.PI / 2)) + 4) % 4) as Quarter);
  return turns.find((quarter) => quarter !== 0) ?? 0;
}

/** Of boxes that show one face the one that was embedded, else the surest. */
function oneOfEach(faces: readonly MeasuredFace[]): MeasuredFace[] {
  const weighed = faces.map((face) => ({
    face,
    box: face.bbox,
    confidence: face.confidence + (face.embedding === null ? 0 : 1),
  }));
  return mergeDetections(weighed)
    .map(({ face }) => face)
    .slice(0, FACES_MAX);
}

function isGood({ quality }: MeasuredFace): boolean {
  return qualityRejection(quality) === null;
}

function misaligned(face: MeasuredFace, reason: Misalignment): MeasuredFace {
  return { ...face, quality: { ...face.quality, misaligned: reason } };
}

function placed(face: Pick<ConfirmedFace, 'detected' | 'confidence'>, landmarks: readonly Point[]): ConfirmedFace {
  const extent = landmarkExtent(landmarks);
  const turnedAway = longerSide(extent) < LANDMARK_SPAN_MIN * longerSide(face.detected);
  return { ...face, landmarks, turnedAway, box: turnedAway ? face.detected : extent };
}

/** Null for a face that lies wholly outside the image. */
function measure(pyramid: ImagePyramid, face: ConfirmedFace): MeasuredFace | null {
  const bbox = wholePixels(face.detected, pyramid.image);
  if (bbox === null) return null;
  const landmarks = fivePoints(face.landmarks);
  const measured = {
    bbox,
    confidence: Math.round(face.confidence * 1e4) / 1e4,
    landmarks,
    quality: measureQuality(pyramid, bbox, face.landmarks, landmarks, face.turnedAway),
    embedding: null,
  };
  return shareOutside(pyramid.image, landmarks) > OUTSIDE_MAX ? misaligned(measured, 'cut_off') : measured;
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

function meanOf(points: FivePoints): Point {
  const [x, y] = points.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [x / points.length, y / points.length];
}
