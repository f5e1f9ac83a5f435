import type { FaceRestoration } from '../../domain/events/enhancement.ts';
import type { Box, FaceQuality } from '../../domain/faces/face-quality.ts';

/**
 * What the Worker and the inference container say to each other. Requests are POSTs with the image as body; every one carries
 * `x-inference-secret` and `x-request-id`, and `x-org-id` and `x-tenant-id` from the verified claims (E-AUT-02).
 *
 * - `POST /v1/faces?embed=none|qualified|largest` → `FaceAnalysis`
 * - `POST /v1/weapons` → `WeaponAnalysis`
 * - `POST /v1/enhance?fidelity=0..1&upscale=1..4` → `application/x-enhancement`: JSON lines `EnhancementProgress`, then one line
 *   `EnhancementResult`, then `byteLength` bytes of PNG. A failure after the head was sent is a line `{error}`.
 * - `GET /healthz` → `InferenceHealth`, 200 or 503, without the secret.
 *
 * Failures are `{error: {code, message, details}}`: `InferenceErrorCode` with the status beside it; 503 OVERLOADED has `Retry-After`.
 */
export const SECRET_HEADER = 'x-inference-secret';

/**
 * Which faces of an image get an embedding: no face; those that pass the quality rules (registration, cameras); the one with the
 * largest box, whatever its quality (a search's query).
 */
export type EmbeddingChoice = 'none' | 'qualified' | 'largest';

/** Names the space that vectors can be compared in: only vectors of one name, version and width. */
export interface EmbeddingModel {
  readonly name: string;
  readonly version: string;
  readonly dimensions: number;
}

interface ImageSize {
  /** Of the upright image, after EXIF rotation. */
  readonly width: number;
  readonly height: number;
}

export interface AnalyzedFace {
  readonly bbox: Box;
  /** 0..1. */
  readonly confidence: number;
  readonly quality: FaceQuality;
  /** Base64 of little-endian float32, unit length; null where `embed` did not ask for it. */
  readonly embedding: string | null;
}

export interface FaceAnalysis {
  readonly model: EmbeddingModel;
  readonly image: ImageSize;
  /** Largest first. */
  readonly faces: readonly AnalyzedFace[];
}

type WeaponClass = 'Weapon' | 'Knife' | 'Gun';

export interface WeaponDetection {
  readonly class: WeaponClass;
  readonly confidence: number;
  readonly bbox: Box;
}

export interface WeaponAnalysis {
  readonly model: string;
  readonly detections: readonly WeaponDetection[];
}

export interface EnhancementProgress {
  /** 0..1. */
  readonly progress: number;
}

export interface EnhancementResult {
  readonly original: ImageSize;
  readonly enhanced: ImageSize;
  readonly byteLength: number;
  /** `no_face`: the model is there, and found nothing to restore. */
  readonly faceRestoration: FaceRestoration;
  readonly upscaler: string;
}

export interface InferenceHealth {
  readonly status: 'ok' | 'starting' | 'draining';
  /** Models that answer now; null for a task without an installed model. */
  readonly models: {
    readonly faces: EmbeddingModel | null;
    readonly weapons: string | null;
    readonly restoration: string | null;
    readonly upscaling: string | null;
  };
  readonly queued: number;
}

/** 400, 400, 404, 413, 415, 401, 503, 503, 504, 500. */
export type InferenceErrorCode =
  | 'INVALID_IMAGE'
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNAUTHORIZED'
  | 'MODEL_UNAVAILABLE'
  | 'OVERLOADED'
  | 'TIMEOUT'
  | 'INTERNAL_ERROR';

/** Ranges of an enhancement's fields (docs/design/faces-and-galleries.md#enhancement). */
export const ENHANCEMENT_LIMITS = { fidelity_default: 0.5, upscale_values: [1, 2, 4], upscale_default: 2 } as const;
