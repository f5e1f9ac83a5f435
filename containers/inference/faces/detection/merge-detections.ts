import { areaOf, sharedArea } from '../../../../domain/faces/box-overlap.ts';
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
  const shared = sharedArea(first, second);
  if (shared === 0) return false;
  const smaller = Math.min(areaOf(first), areaOf(second));
  return shared > OVERLAP_MAX * (areaOf(first) + areaOf(second) - shared) || shared > CONTAINED_MAX * smaller;
}
