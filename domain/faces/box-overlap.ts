import type { Box } from './face-quality.ts';

/** What two boxes share, in square pixels. */
export function sharedArea([x1, y1, x2, y2]: Box, [otherX1, otherY1, otherX2, otherY2]: Box): number {
  const width = Math.min(x2, otherX2) - Math.max(x1, otherX1);
  const height = Math.min(y2, otherY2) - Math.max(y1, otherY1);
  return width > 0 && height > 0 ? width * height : 0;
}

export function areaOf([x1, y1, x2, y2]: Box): number {
  return (x2 - x1) * (y2 - y1);
}

/** Intersection over union of two boxes, 0..1. */
export function boxOverlap(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (areaOf(a) + areaOf(b) - shared);
}
