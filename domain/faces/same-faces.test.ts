import { expect, it } from 'vitest';
import { sameFaces } from './same-faces.ts';

it('pairs the boxes that overlap most', () => {
  expect(
    sameFaces(
      [
        [0, 0, 100, 100],
        [200, 0, 300, 100],
      ],
      [
        [205, 5, 310, 95],
        [20, 20, 120, 120],
        [5, 0, 100, 105],
      ],
    ),
  ).toEqual([2, 0]);
});

it('finds nothing for a box that none overlaps', () => {
  expect(sameFaces([[0, 0, 100, 100]], [[90, 90, 200, 200]])).toEqual([null]);
});
