/** Corners in pixels of the upright image: [x1, y1, x2, y2], x1 < x2, y1 < y2. */
export type Box = readonly [number, number, number, number];

/** What decides whether a face is good enough to be stored (E-RES-08). */
export interface FaceQuality {
  /** 0 is sharp; above 0.5 is rejected. */
  readonly blur: number;
  /** Degrees from the camera to the side; the sign says which. */
  readonly yaw: number;
  /** Degrees up (positive) or down. */
  readonly pitch: number;
  /** Shorter side of the box, in pixels of the original image. */
  readonly face_size: number;
  /** Why the face that is embedded would be no upright, whole face; left out for one that is. Not shown in answers. */
  readonly misaligned?: Misalignment;
}

/** In no orientation is it surely a face; or more of it lies beyond the edge of the picture than an embedding can do without. */
export type Misalignment = 'not_upright' | 'cut_off';

/** Thresholds of E-LIM-01. A value that equals its threshold passes; angles count by their absolute value. */
const QUALITY_LIMITS = { blur_max: 0.5, angle_degrees_max: 30, face_size_min: 80 } as const;

/** The first rule that a face breaks, with what was measured; null for a face that may be stored. */
export type QualityRejection =
  | { readonly rule: 'blur' | 'yaw' | 'pitch' | 'face_size'; readonly measured: number; readonly limit: number }
  | { readonly rule: Misalignment };

/** Why a face is not stored (E-STA-02, E-STA-03), or null. A measure that is no number breaks its rule. */
export function qualityRejection(quality: FaceQuality): QualityRejection | null {
  const { blur, yaw, pitch, face_size, misaligned } = quality;
  const { blur_max, angle_degrees_max, face_size_min } = QUALITY_LIMITS;
  if (!(face_size >= face_size_min)) return { rule: 'face_size', measured: face_size, limit: face_size_min };
  // Of a crop that is no upright face every other measure is made up.
  if (misaligned !== undefined) return { rule: misaligned };
  if (!(blur <= blur_max)) return { rule: 'blur', measured: blur, limit: blur_max };
  if (!(Math.abs(yaw) <= angle_degrees_max)) return { rule: 'yaw', measured: yaw, limit: angle_degrees_max };
  if (!(Math.abs(pitch) <= angle_degrees_max)) return { rule: 'pitch', measured: pitch, limit: angle_degrees_max };
  return null;
}

/** As it stands in `rejection_reason`: rule, and measured value and limit where it has them. */
export function describeRejection(rejection: QualityRejection): string {
  switch (rejection.rule) {
    case 'face_size':
      return `face_size ${rejection.measured} px is below ${rejection.limit} px`;
    case 'blur':
      return `blur ${rejection.measured} is above ${rejection.limit}`;
    case 'yaw':
    case 'pitch':
      return `${rejection.rule} ${rejection.measured} degrees is beyond ${rejection.limit} degrees`;
    case 'not_upright':
      return 'not_upright: the face cannot be turned upright';
    case 'cut_off':
      return 'cut_off: too much of the face lies beyond the edge of the picture';
  }
}
