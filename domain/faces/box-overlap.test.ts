import { expect, it } from 'vitest';
import { boxOverlap } from './box-overlap.ts';

it('overlap is the intersection over the union', () => {
  expect(boxOverlap([0, 0, 10, 10], [5, 0, 15, 10])).toBeCloseTo(1 / 3);
  expect(boxOverlap([0, 0, 10, 10], [0, 0, 10, 10])).toBe(1);
  expect(boxOverlap([0, 0, 10, 10], [10, 0, 20, 10])).toBe(0);
});
