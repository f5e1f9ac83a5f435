import type { Box } from '../../../../domain/faces/face-quality.ts';
import type { DetectedFace } from './detected-face.ts';

/** Two boxes that share more than this, intersection over union, show one face; neighbours that touch share less. */
const OVERLAP_MAX = 0.4;
/** A box that lies in another by more than this share of itself is a part of that face. */
const CONTAINED_MAX = 0.75;

/** One detection for each face, the most confident first. */
export function mergeDetections<Face extends DetectedFace>(faces: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of faces.toSorted((first, second) => second.confidence - first.confidence))
    if (!kept.some((better) => isSameFace(better.box, face.box))) kept.push(face);
  return kept;
}

function isSameFace(first: Box, second: Box): boolean {
  const shared = intersection(first, second);
  if (shared === 0) return false;
  const smaller = Math.min(area(first), area(second));
  return shared > OVERLAP_MAX * (area(first) + area(second) - shared) || shared > CONTAINED_MAX * smaller;
}

/** Intersection over union of two boxes, 0..1. */
export function overlap(first: Box, second: Box): number {
  const shared = intersection(first, second);
  return shared === 0 ? 0 : shared / (area(first) + area(second) - shared);
}

function intersection(first: Box, second: Box): number {
  const width = Math.min(first[2], second[2]) - Math.max(first[0], second[0]);
  const height = Math.min(first[3], second[3]) - Math.max(first[1], second[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

function area([x1, y1, x2, y2]: Box): number {
  return (x2 - x1) * (y2 - y1);
}
