import type { Box } from '../../../domain/faces/face-quality.ts';
import { overlap } from '../faces/detection/merge-detections.ts';

interface Thing {
  readonly class: string | number;
  readonly confidence: number;
  readonly bbox: Box;
}

/** Of things of one class that share more than `overlapMax`, intersection over union, the surest; the surest of all first. */
export function suppressOverlaps<Found extends Thing>(things: readonly Found[], overlapMax: number): Found[] {
  const kept: Found[] = [];
  for (const thing of things.toSorted((a, b) => b.confidence - a.confidence))
    if (!kept.some((surer) => surer.class === thing.class && overlap(surer.bbox, thing.bbox) > overlapMax))
      kept.push(thing);
  return kept;
}
