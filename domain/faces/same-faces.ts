import type { Box } from './face-quality.ts';

/** Boxes that overlap less are not of the same face. */
const OVERLAP_MIN = 0.4;

/**
 * Which of the boxes that another model found in an image is which known one: for each known box the index of the found one, or null.
 * The pairs that overlap most first (intersection over union).
 */
export function sameFaces(known: readonly Box[], found: readonly Box[]): readonly (number | null)[] {
  const pairs = known
    .flatMap((box, at) => found.map((other, index) => ({ at, index, overlap: overlapOf(box, other) })))
    .filter(({ overlap }) => overlap >= OVERLAP_MIN)
    .toSorted((a, b) => b.overlap - a.overlap);
  const same: (number | null)[] = known.map(() => null);
  const taken = new Set<number>();
  for (const { at, index } of pairs) {
    if (same[at] !== null || taken.has(index)) continue;
    same[at] = index;
    taken.add(index);
  }
  return same;
}

function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (areaOf(a) + areaOf(b) - shared);
}

function areaOf([x1, y1, x2, y2]: Box): number {
  return (x2 - x1) * (y2 - y1);
}
