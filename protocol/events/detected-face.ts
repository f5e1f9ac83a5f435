import { describeRejection, type FaceQuality, qualityRejection } from '../../domain/faces/face-quality.ts';
import type { AnalyzedFace } from '../inference/wire.ts';

/** A face as answers show it (E-RES-08). */
export interface DetectedFace {
  readonly id: string;
  readonly bbox: [number, number, number, number];
  readonly confidence: number;
  readonly quality: FaceQuality;
  readonly embedding_stored: boolean;
  /** Only where the embedding is not stored. */
  readonly rejection_reason?: string;
}

/**
 * A face of an analyzed image for an answer: without its embedding. A face that breaks a quality rule is not stored and says which
 * rule; `otherReason` is for one that passes and is not stored all the same, null for one that is stored.
 */
export function detectedFace(id: string, face: AnalyzedFace, otherReason: string | null): DetectedFace {
  const { bbox, confidence, quality } = face;
  const { blur, yaw, pitch, face_size } = quality;
  const rejection = qualityRejection(quality);
  const reason = rejection === null ? otherReason : describeRejection(rejection);
  return {
    id,
    bbox: [...bbox],
    confidence,
    quality: { blur, yaw, pitch, face_size },
    embedding_stored: reason === null,
    ...(reason === null ? {} : { rejection_reason: reason }),
  };
}
