import { cosine } from '../../../domain/faces/cosine.ts';
import { describeRejection, qualityRejection } from '../../../domain/faces/face-quality.ts';
import { defaultMatchRule } from '../../../domain/faces/match-rule.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { detectedFace } from '../../../protocol/events/detected-face.ts';
import type { AnalyzedFace, EmbeddingModel, FaceAnalysis } from '../../../protocol/inference/wire.ts';
import { embeddingValues } from '../inference/decode-embedding.ts';

export interface ExaminedPhotos {
  readonly model: EmbeddingModel;
  /** The one face of each photo. */
  readonly faces: readonly AnalyzedFace[];
}

/**
 * A registration wants exactly one face in each photo, one that passes the quality rules; else it says which photo fails by what. All of
 * them show one person: any two resemble each other as much as a review wants.
 */
export function examinePhotos(analyses: readonly FaceAnalysis[]): Result<ExaminedPhotos, ApiError> {
  const refusals = analyses.flatMap(({ faces }, index) => {
    const reason = reasonAgainst(faces);
    return reason === null ? [] : [{ photo: index, reason, faces: faces.map(withoutId) }];
  });
  if (refusals.length > 0) {
    return err(
      apiError('VALIDATION_ERROR', 'each photo must show exactly one face of good quality', {
        reason: 'photo_refused',
        photos: refusals,
      }),
    );
  }
  const [first] = analyses;
  if (first === undefined || analyses.some(({ model }) => model.version !== first.model.version))
    return err(apiError('SERVICE_UNAVAILABLE', 'the face model is changing: try again'));
  const faces = analyses.flatMap((analysis) => analysis.faces);
  const unlike = unlikePhotos(faces, defaultMatchRule(first.model).reviewFrom);
  if (unlike.length > 0) return err(unlikeFailure(unlike));
  return ok({ model: first.model, faces });
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
  const [face, another] = faces;
  if (face === undefined) return 'no_face';
  if (another !== undefined) return 'several_faces';
  const rejection = qualityRejection(face.quality);
  return rejection === null ? null : describeRejection(rejection);
}

/** Nothing is stored of it, so it has no id. */
function withoutId(face: AnalyzedFace) {
  const { id: _, ...shown } = detectedFace('', face, 'not registered');
  return shown;
}
