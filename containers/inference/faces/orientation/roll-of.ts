import type { FivePoints } from '../../engine/engine.ts';

/** By how many radians the line between the eyes is turned clockwise from level. */
export function rollOf([right, left]: FivePoints): number {
  return Math.atan2(left[1] - right[1], left[0] - right[0]);
}
