import { expect, it } from 'vitest';
import type { FivePoints } from '../../engine/engine.ts';
import { EMBEDDING_TEMPLATE } from './face-template.ts';
import { shareOutside } from './share-outside.ts';

const SIDE = EMBEDDING_TEMPLATE.side;
const movedBy = (x: number, y: number) =>
  EMBEDDING_TEMPLATE.points.map(([px, py]) => [px + x, py + y]) as unknown as FivePoints;

it.each([
  ['within the picture', 0, 0, 0],
  ['half beyond its left edge', -SIDE / 2, 0, 0.5],
  ['half beyond its lower edge', 0, SIDE / 2, 0.5],
  ['beyond a corner', -SIDE / 2, -SIDE / 2, 0.75],
])('of a crop %s, so much is outside', (_, x, y, share) => {
  expect(shareOutside({ width: SIDE, height: SIDE }, movedBy(x, y))).toBeCloseTo(share, 1);
});

it('of points on one spot nothing is a face', () => {
  const spot = EMBEDDING_TEMPLATE.points.map(() => [5, 5]) as unknown as FivePoints;
  expect(shareOutside({ width: SIDE, height: SIDE }, spot)).toBe(1);
});
