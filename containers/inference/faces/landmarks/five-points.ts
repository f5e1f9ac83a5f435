import type { FivePoints, Point } from '../../engine/engine.ts';

/** Of 68 landmarks: the middles of the eyes, the tip of the nose, the corners of the mouth. */
export function fivePoints(landmarks: readonly Point[]): FivePoints {
  return [
    middle(landmarks.slice(36, 42)),
    middle(landmarks.slice(42, 48)),
    landmarks[30]!,
    landmarks[48]!,
    landmarks[54]!,
  ];
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}
