import { expect, test } from 'vitest';
import { roomForCases } from './surveillance-case.ts';

test('a market makes twenty cases, and three however many the day has', () => {
  expect([0, 180, 190, 197, 199, 200, 5_000].map(roomForCases)).toEqual([20, 20, 10, 3, 3, 3, 3]);
});
