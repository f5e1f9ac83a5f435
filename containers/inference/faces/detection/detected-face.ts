import type { Box } from '../../../../domain/faces/face-quality.ts';

/** A face as the detector sees it; the box may reach beyond the image. */
export interface DetectedFace {
  readonly box: Box;
  /** 0..1. */
  readonly confidence: number;
}
