import { boxOverlap } from './box-overlap.ts';
import type { Box } from './face-quality.ts';

/** Boxes that overlap less are not of the same face. */
const OVERLAP_MIN = 0.4;

/**
 * Which of the boxes that another model found in an image is which known one: for each known box the index of the found one, or null.
 * The pairs that overlap most first (intersection over union).
 */
export function sameFaces(known: readonly Box[], found: readonly Box[]): readonly (number | null)[] {
  const pairs = known
    .flatMap((box, at) => found.map((other, index) => ({ at, index, overlap: boxOverlap(box, other) })))
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
