import type { Point } from '../../engine/engine.ts';

/** Turns, scales and moves: (x, y) → (a·x − b·y + tx, b·x + a·y + ty). */
export interface SimilarityTransform {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

export function transformPoint({ a, b, tx, ty }: SimilarityTransform, [x, y]: Point): Point {
  return [a * x - b * y + tx, b * x + a * y + ty];
}

/** How many times longer a distance becomes. */
export function scaleOf({ a, b }: SimilarityTransform): number {
  return Math.hypot(a, b);
}

/**
 * The similarity transform that brings `from` nearest to `to` in least squares: Umeyama's solution (IEEE PAMI 13(4), 1991), which
 * in the plane and without reflection is the mean of the quotients of centred points taken as complex numbers, weighted by length.
 * Null for points that all lie on one spot.
 */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): SimilarityTransform | null {
  if (from.length !== to.length) throw new Error(`${from.length} points cannot be fitted to ${to.length}`);
  const [fromX, fromY] = mean(from);
  const [toX, toY] = mean(to);
  let along = 0;
  let across = 0;
  let spread = 0;
  for (let i = 0; i < from.length; i += 1) {
    const x = from[i]![0] - fromX;
    const y = from[i]![1] - fromY;
    const u = to[i]![0] - toX;
    const v = to[i]![1] - toY;
    along += x * u + y * v;
    across += x * v - y * u;
    spread += x * x + y * y;
  }
  if (!(spread > 0)) return null;
  const a = along / spread;
  const b = across / spread;
  return { a, b, tx: toX - a * fromX + b * fromY, ty: toY - b * fromX - a * fromY };
}

/** Null for a transform that shrinks everything to a point. */
export function invertSimilarity({ a, b, tx, ty }: SimilarityTransform): SimilarityTransform | null {
  const determinant = a * a + b * b;
  if (!(determinant > 0)) return null;
  const inverseA = a / determinant;
  const inverseB = -b / determinant;
  return {
    a: inverseA,
    b: inverseB,
    tx: -(inverseA * tx - inverseB * ty),
    ty: -(inverseB * tx + inverseA * ty),
  };
}

function mean(points: readonly Point[]): Point {
  const sum = points.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}
