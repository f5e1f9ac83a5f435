import { describeRejection, qualityRejection } from '../../../domain/faces/face-quality.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { detectedFace } from '../../../protocol/events/detected-face.ts';
import type { AnalyzedFace, EmbeddingModel, FaceAnalysis } from '../../../protocol/inference/wire.ts';

export interface ExaminedPhotos {
  readonly model: EmbeddingModel;
  /** The one face of each photo. */
  readonly faces: readonly AnalyzedFace[];
}

/** A registration wants exactly one face in each photo, one that passes the quality rules; else it says which photo fails by what. */
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
  return ok({ model: first.model, faces: analyses.flatMap(({ faces }) => faces) });
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
