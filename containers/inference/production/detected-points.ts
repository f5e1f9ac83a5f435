import type { FivePoints } from '../engine/engine.ts';
import type { DetectedFace } from '../faces/detection/detected-face.ts';

/** A face of a detector that also tells its five points. */
export interface DetectedPoints extends DetectedFace {
  readonly landmarks: FivePoints;
}
