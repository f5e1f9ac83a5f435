import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FivePoints } from '../engine/engine.ts';
import { fivePointPose, HEAD } from './five-point-pose.ts';

const RADIANS = Math.PI / 180;

/** The average head, turned, nodded and leaned, as a camera far away sees it. */
function seen(yaw: number, pitch: number, roll: number, scale: number, shift: number): FivePoints {
  const [a, b, c] = [yaw * RADIANS, pitch * RADIANS, roll * RADIANS];
  return HEAD.map(([x, y, z]) => {
    const turnedX = x * Math.cos(a) - z * Math.sin(a);
    const turnedZ = x * Math.sin(a) + z * Math.cos(a);
    const noddedY = y * Math.cos(b) + turnedZ * Math.sin(b);
    return [
      scale * (turnedX * Math.cos(c) - noddedY * Math.sin(c)) + shift,
      scale * (turnedX * Math.sin(c) + noddedY * Math.cos(c)) - shift,
    ] as const;
  }) as unknown as FivePoints;
}

it('the pose of the average head is found, however it leans and wherever it is', () => {
  const angle = fc.double({ min: -60, max: 60, noNaN: true });
  const property = fc.property(
    angle,
    angle,
    angle,
    fc.double({ min: 1, max: 100, noNaN: true }),
    (yaw, pitch, roll, scale) => {
      const pose = fivePointPose(seen(yaw, pitch, roll, scale, 300));
      expect(pose.yaw).toBeCloseTo(yaw, 3);
      expect(pose.pitch).toBeCloseTo(pitch, 3);
    },
  );
  fc.assert(property);
});

it('a nose that points to the right of the image is a positive yaw', () => {
  expect(
    fivePointPose([
      [30, 40],
      [60, 40],
      [58, 60],
      [36, 80],
      [58, 80],
    ]).yaw,
  ).toBeGreaterThan(15);
});

it('points on one spot have no pose', () => {
  expect(
    fivePointPose([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
  ).toEqual({ yaw: 0, pitch: 0 });
});
