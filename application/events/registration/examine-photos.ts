import { areaOf } from '../../../domain/faces/box-overlap.ts';
import { cosine } from '../../../domain/faces/cosine.ts';
import { qualityRejection } from '../../../domain/faces/face-quality.ts';
import { defaultMatchRule } from '../../../domain/faces/match-rule.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { detectedFace } from '../../../protocol/events/detected-face.ts';
import type { AnalyzedFace, EmbeddingModel, FaceAnalysis } from '../../../protocol/inference/wire.ts';
import { embeddingValues } from '../inference/decode-embedding.ts';

/** Of two who stand side by side one box is larger by chance; who stands in front is larger by half and more. */
const LARGER_FROM = 1.5;

export interface ExaminedPhotos {
  readonly model: EmbeddingModel;
  /** The photos that have a good face, by their place among those sent, with that face. */
  readonly good: readonly { readonly photo: number; readonly face: AnalyzedFace }[];
  /** Every other face, in order of the photos. */
  readonly others: readonly AnalyzedFace[];
}

/**
 * The good face of each photo. A photo whose faces all break a quality rule is no error, and has none (E-ERR-01). One without any face is refused, and
 * so is one that leaves open who is meant: with two good faces, or with a poor one that is much larger than the good one. All good ones show one person: any
 * two resemble each other as much as a review wants.
 */
export function examinePhotos(analyses: readonly FaceAnalysis[]): Result<ExaminedPhotos, ApiError> {
  const refusals = analyses.flatMap(({ faces }, index) => {
    const reason = reasonAgainst(faces);
    return reason === null ? [] : [{ photo: index, reason, faces: faces.map(withoutId) }];
  });
  if (refusals.length > 0) {
    return err(
      apiError('VALIDATION_ERROR', 'each photo must show who is registered, and nobody else as well', {
        reason: 'photo_refused',
        photos: refusals,
      }),
    );
  }
  const [first] = analyses;
  if (first === undefined || analyses.some(({ model }) => model.version !== first.model.version))
    return err(apiError('SERVICE_UNAVAILABLE', 'the face model is changing: try again'));
  const good = analyses.flatMap(({ faces }, photo) => faces.filter(isGood).map((face) => ({ photo, face })));
  const unlike = unlikePhotos(
    good.map(({ face }) => face),
    defaultMatchRule(first.model).reviewFrom,
  );
  if (unlike.length > 0) return err(unlikeFailure(unlike.map((at) => good[at]!.photo)));
  const others = analyses.flatMap(({ faces }) => faces.filter((face) => !isGood(face)));
  return ok({ model: first.model, good, others });
}

/** Photos of a call that show somebody else than others of it, or than those that are stored of the attendee; without a score. */
export function unlikeFailure(photos: readonly number[]): ApiError {
  return apiError('VALIDATION_ERROR', 'the photos of an attendee must all show the same person', {
    reason: 'photos_unlike',
    photos,
  });
}

/** Which of them are less alike than that to another one. */
function unlikePhotos(faces: readonly AnalyzedFace[], similarity_min: number): number[] {
  const vectors = faces.map(({ embedding }) => embeddingValues(embedding ?? ''));
  const isUnlike = (a: Float32Array) => vectors.some((b) => a !== b && !(cosine(a, b) >= similarity_min));
  return vectors.flatMap((vector, photo) => (isUnlike(vector) ? [photo] : []));
}

function reasonAgainst(faces: readonly AnalyzedFace[]): string | null {
  if (faces.length === 0) return 'no_face';
  const [good, another] = faces.filter(isGood);
  if (good === undefined) return null;
  if (another !== undefined) return 'several_faces';
  return faces.some(({ bbox }) => areaOf(bbox) > LARGER_FROM * areaOf(good.bbox)) ? 'larger_face' : null;
}

function isGood({ quality, embedding }: AnalyzedFace): boolean {
  return embedding !== null && qualityRejection(quality) === null;
}

/** Nothing is stored of it, so it has no id. */
function withoutId(face: AnalyzedFace) {
  const { id: _, ...shown } = detectedFace('', face, 'not registered');
  return shown;
}
