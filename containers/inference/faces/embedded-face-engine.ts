import { boxOverlap } from '../../../domain/faces/box-overlap.ts';
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
import { areSteady } from './landmarks/steady-landmarks.ts';
import { rollOf } from './orientation/roll-of.ts';
import { surestTurn } from './orientation/surest-turn.ts';
import { boxInImage, inImage, type Quarter, turnedBack } from './orientation/turned-image.ts';
import { LookBudget, TurnedLooks } from './orientation/turned-looks.ts';
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
/** A first turn places the landmarks, a second mends what they say of the roll. */
const TURNS_MAX = 2;
/** A picture that ends at the face's box lacks 0.22 to 0.46 of the aligned crop, half a face 0.58 and more (photographs of groups). */
const OUTSIDE_MAX = 0.5;
/** Boxes that share more, intersection over union, show one face in two positions of the picture. */
const SAME_FACE_OVERLAP = 0.4;

interface ConfirmedFace {
  readonly detected: Box;
  readonly confidence: number;
  readonly landmarks: readonly Point[];
  /** The landmarks fall together: a profile, or more of the head than of the face. */
  readonly turnedAway: boolean;
  /** What merging goes by. Two boxes of one face may lie apart, but their landmarks come to lie on each other. */
  readonly box: Box;
}

/** A picture in one position, with what it shows. */
interface Picture {
  readonly pyramid: ImagePyramid;
  /** The largest first. */
  readonly seen: readonly { readonly face: ConfirmedFace; readonly measured: MeasuredFace }[];
  readonly looks: TurnedLooks;
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

  const isSteady = (pyramid: ImagePyramid, { detected, landmarks }: ConfirmedFace) =>
    areSteady(fivePoints(landmarks), async (angle) => fivePoints(await finder.find(pyramid, detected, angle)));

  /** Its landmarks anew, until it stands upright by them; null where it never does, or nobody has looked often enough to tell. */
  async function turnUpright({ pyramid, looks }: Picture, face: ConfirmedFace): Promise<ConfirmedFace | null> {
    let turned = face;
    for (let turns = 0; turns <= TURNS_MAX; turns += 1) {
      if (looks.budget.isSpent)
        return looks.isStanding && turns === 0 && (await isSteady(pyramid, turned)) ? turned : null;
      const points = fivePoints(turned.landmarks);
      const view = { center: meanOf(points), side: VIEW_SIDES * longerSide(turned.detected) };
      const roll = rollOf(points);
      const lookAt = (angle: number) => {
        looks.budget.spend();
        return detector.lookTurned(pyramid, { ...view, angle: roll + angle });
      };
      const turn = await surestTurn(lookAt, looks.isStanding && turns === 0);
      if (turn === null) return null;
      if (turn === 0 && (await isSteady(pyramid, turned))) return turned;
      turned = placed(turned, await finder.find(pyramid, turned.detected, roll + turn));
    }
    return null;
  }

  /** What a picture shows as it stands. */
  async function see(image: RgbImage, budget: LookBudget): Promise<Picture> {
    const pyramid = new ImagePyramid(image);
    const confirmed = await confirm(pyramid, await detector.detect(pyramid));
    const seen = mergeDetections(confirmed)
      .slice(0, FACES_MAX)
      .flatMap((face) => {
        const measured = measure(pyramid, face);
        return measured === null ? [] : [{ face, measured }];
      })
      .toSorted((first, second) => area(second.measured.bbox) - area(first.measured.bbox));
    return { pyramid, seen, looks: new TurnedLooks(budget) };
  }

  /** The face of that rank. One that is wanted is turned upright, and embedded where that succeeds. */
  async function examine(picture: Picture, rank: number, embed: EmbeddingChoice): Promise<MeasuredFace> {
    const { pyramid, looks } = picture;
    const { face, measured } = picture.seen[rank]!;
    if (embed === 'none' || (embed === 'largest' && rank > 0)) return measured;
    // What does not stand upright measures poor, whatever it is.
    if (embed === 'qualified' && !isGood(measured) && !looks.takesPoor(measured.quality)) return measured;
    const upright = await turnUpright(picture, face);
    looks.record(upright === null ? 'nowhere' : upright === face ? 'stood' : 'turned');
    if (upright === null && !isGood(measured) && embed === 'qualified') return measured;
    const checked = upright === null ? misaligned(measured, 'not_upright') : (measure(pyramid, upright) ?? measured);
    const embeds = checked.quality.misaligned === undefined && (embed === 'largest' || isGood(checked));
    return embeds ? { ...checked, embedding: await embedder.embed(pyramid, checked.landmarks) } : checked;
  }

  async function examineAll(picture: Picture, embed: EmbeddingChoice): Promise<MeasuredFace[]> {
    const faces: MeasuredFace[] = [];
    for (const rank of picture.seen.keys()) faces.push(await examine(picture, rank, embed));
    return faces;
  }

  return {
    model: embeddingModel(finder.sha256, embedder),

    async analyze(image: RgbImage, embed: EmbeddingChoice) {
      const budget = new LookBudget();
      const picture = await see(image, budget);
      if (embed !== 'qualified') return examineAll(picture, embed);
      const faces: MeasuredFace[] = [];
      let quarter: Quarter = 0;
      for (let rank = 0; rank < picture.seen.length && quarter === 0; rank += 1) {
        const face = await examine(picture, rank, embed);
        faces.push(face);
        quarter = quarterOf(face);
      }
      if (quarter === 0) return faces;
      // The detector misses half of the faces of a picture that stands on its side or its head, and each of the others costs many looks.
      const turned = await examineAll(await see(turnedBack(image, quarter), budget), embed);
      const found = turned.map((face) => ({
        ...face,
        bbox: boxInImage(face.bbox, quarter, image),
        landmarks: face.landmarks.map((point) => inImage(point, quarter, image)) as unknown as FivePoints,
      }));
      const embedded = found.filter(({ embedding }) => embedding !== null);
      for (let rank = faces.length; rank < picture.seen.length; rank += 1) {
        const { bbox } = picture.seen[rank]!.measured;
        if (!embedded.some((face) => boxOverlap(face.bbox, bbox) > SAME_FACE_OVERLAP))
          faces.push(await examine(picture, rank, embed));
      }
      return oneOfEach([...faces, ...found]).toSorted((first, second) => area(second.bbox) - area(first.bbox));
    },
  };
}

/** By how many quarters the picture is turned, if this face has been turned upright and says so. */
function quarterOf({ embedding, landmarks }: MeasuredFace): Quarter {
  return embedding === null ? 0 : (((Math.round(rollOf(landmarks) / (Math.PI / 2)) + 4) % 4) as Quarter);
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
