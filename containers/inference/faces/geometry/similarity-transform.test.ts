import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Point } from '../../engine/engine.ts';
import { fitSimilarity, invertSimilarity, scaleOf, transformPoint } from './similarity-transform.ts';

const coordinate = fc.double({ min: -2_000, max: 2_000, noNaN: true });
const point = fc.tuple(coordinate, coordinate);
const transform = fc
  .record({
    scale: fc.double({ min: 0.05, max: 20, noNaN: true }),
    angle: fc.double({ min: -3, max: 3, noNaN: true }),
    to: point,
  })
  .map(({ scale, angle, to: [tx, ty] }) => ({ a: scale * Math.cos(angle), b: scale * Math.sin(angle), tx, ty }));
const SQUARE: readonly Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [3, 7],
];

function expectNear([x, y]: Point, [u, v]: Point, tolerance: number): void {
  expect(Math.hypot(x - u, y - v)).toBeLessThan(tolerance);
}

it('the turn, scale and shift between two sets of points is found', () => {
  fc.assert(
    fc.property(transform, (known) => {
      const fitted = fitSimilarity(
        SQUARE,
        SQUARE.map((corner) => transformPoint(known, corner)),
      );
      expect(fitted).not.toBeNull();
      for (const corner of SQUARE) expectNear(transformPoint(fitted!, corner), transformPoint(known, corner), 1e-6);
      expect(scaleOf(fitted!)).toBeCloseTo(scaleOf(known), 6);
    }),
  );
});

it('no other turn, scale or shift comes nearer to points that fit only in part', () => {
  const target: Point[] = [
    [1, 0],
    [12, 1],
    [9, 13],
    [-1, 9],
    [4, 7],
  ];
  const missOf = (candidate: NonNullable<ReturnType<typeof fitSimilarity>>) =>
    SQUARE.reduce((sum, corner, i) => {
      const [x, y] = transformPoint(candidate, corner);
      return sum + (x - target[i]![0]) ** 2 + (y - target[i]![1]) ** 2;
    }, 0);
  const best = fitSimilarity(SQUARE, target)!;
  for (const part of ['a', 'b', 'tx', 'ty'] as const)
    for (const step of [-0.01, 0.01])
      expect(missOf({ ...best, [part]: best[part] + step })).toBeGreaterThan(missOf(best));
});

it('the inverse brings every point back', () => {
  fc.assert(
    fc.property(transform, point, (forth, start) => {
      expectNear(transformPoint(invertSimilarity(forth)!, transformPoint(forth, start)), start, 1e-4);
    }),
  );
});

it('points on one spot have no transform', () => {
  const spot: Point[] = SQUARE.map(() => [5, 5]);
  expect(fitSimilarity(spot, SQUARE)).toBeNull();
  expect(invertSimilarity(fitSimilarity(SQUARE, spot)!)).toBeNull();
});
