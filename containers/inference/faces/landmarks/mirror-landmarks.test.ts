import { expect, it } from 'vitest';
import type { Point } from '../../engine/engine.ts';
import { fivePoints } from './five-points.ts';
import { mirrorLandmarks } from './mirror-landmarks.ts';

it('mirrored landmarks keep their meaning: the eye on the left is the eye on the left', () => {
  const points = Array.from({ length: 68 }, (_, i): Point => [i, 100 - i]);
  const mirrored = mirrorLandmarks(points, 100);
  // Chin, bridge and tip of the nose lie on the axis; brows, eyes and corners of the mouth change sides.
  for (const [from, to] of [
    [8, 8],
    [27, 27],
    [30, 30],
    [0, 16],
    [17, 26],
    [36, 45],
    [39, 42],
    [48, 54],
    [60, 64],
  ] as const) {
    expect(mirrored[to]).toEqual([100 - from, 100 - from]);
    expect(mirrored[from]).toEqual([100 - to, 100 - to]);
  }
  expect(mirrorLandmarks(mirrored, 100)).toEqual(points);
});

it('five points are the middles of the eyes, the tip of the nose and the corners of the mouth', () => {
  const points = Array.from({ length: 68 }, (_, i): Point => [i, 2 * i]);
  expect(fivePoints(points)).toEqual([
    [38.5, 77],
    [44.5, 89],
    [30, 60],
    [48, 96],
    [54, 108],
  ]);
});
