import type { Box } from '../../../../domain/faces/face-quality.ts';
import type { Point } from '../../engine/engine.ts';

/** The upright rectangle around landmarks. */
export function landmarkExtent(landmarks: readonly Point[]): Box {
  const xs = landmarks.map(([x]) => x);
  const ys = landmarks.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
