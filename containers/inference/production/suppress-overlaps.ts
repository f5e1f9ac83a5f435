import { boxOverlap } from '../../../domain/faces/box-overlap.ts';
import type { Box } from '../../../domain/faces/face-quality.ts';

interface Thing {
  readonly class: string | number;
  readonly confidence: number;
  readonly bbox: Box;
}

/** Of things of one class that share more than `overlapMax`, intersection over union, the surest; the surest of all first. */
export function suppressOverlaps<Found extends Thing>(things: readonly Found[], overlapMax: number): Found[] {
  const kept: Found[] = [];
  for (const thing of things.toSorted((a, b) => b.confidence - a.confidence))
    if (!kept.some((surer) => surer.class === thing.class && boxOverlap(surer.bbox, thing.bbox) > overlapMax))
      kept.push(thing);
  return kept;
}
