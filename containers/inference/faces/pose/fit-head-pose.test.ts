import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '../../engine/engine.ts';
import { fitHeadPose, projectHeadPoint } from './fit-head-pose.ts';
import { HEAD_MODEL } from './head-model.ts';
import { truePose } from './true-pose.ts';

const RADIANS = Math.PI / 180;

/** The average head as a camera sees it: 68 landmarks of which those that count are in their places. */
function landmarksAt(yaw: number, pitch: number, roll = 0, scale = 20, at: Point = [500, 300]): Point[] {
  const landmarks: Point[] = Array.from({ length: 68 }, () => [0, 0]);
  for (const { index, point } of HEAD_MODEL) {
    const [x, y] = projectHeadPoint(point, [yaw * RADIANS, pitch * RADIANS, roll * RADIANS]);
    landmarks[index] = [at[0] + scale * x, at[1] + scale * y];
  }
  return landmarks;
}

describe('the pose of a head is read from its landmarks', () => {
  it('at any size, place and lean', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -75, max: 75 }),
        fc.integer({ min: -45, max: 45 }),
        fc.integer({ min: -40, max: 40 }),
        fc.double({ min: 1, max: 200, noNaN: true }),
        (yaw, pitch, roll, scale) => {
          const pose = fitHeadPose(landmarksAt(yaw, pitch, roll, scale, [-50, 4_000]));
          expect(pose.yaw).toBeCloseTo(yaw, 0);
          expect(pose.pitch).toBeCloseTo(pitch, 0);
        },
      ),
    );
  });

  it('landmarks that miss their places by a pixel in a hundred change it by few degrees', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -40, max: 40 }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 136, maxLength: 136 }),
        (yaw, noise) => {
          // The face is about 180 pixels wide: 9 cm between the corners of the eyes at 20 pixels a centimetre.
          const seen = landmarksAt(yaw, 0).map(
            ([x, y], i): Point => [x + 1.8 * noise[2 * i]!, y + 1.8 * noise[2 * i + 1]!],
          );
          expect(Math.abs(fitHeadPose(seen).yaw - yaw)).toBeLessThan(5);
        },
      ),
    );
  });
});

it('yaw is positive where the nose points to the right of the image, pitch where it points up', () => {
  const [front, turned, raised] = [landmarksAt(0, 0), landmarksAt(25, 0), landmarksAt(0, 20)];
  expect(turned[30]![0]).toBeGreaterThan(front[30]![0]);
  expect(raised[30]![1]).toBeLessThan(front[30]![1]);
  expect(fitHeadPose(turned).yaw).toBeGreaterThan(20);
  expect(fitHeadPose(raised).pitch).toBeGreaterThan(15);
});

describe('what the fit reads is made true', () => {
  it('up to 29 degrees within one, and a reading of 60 is a full profile', () => {
    for (const yaw of [0, 10, -20, 29]) expect(Math.abs(truePose({ yaw, pitch: 0 }).yaw - yaw)).toBeLessThan(1);
    expect(truePose({ yaw: 60, pitch: 0 }).yaw).toBeCloseTo(90);
    expect(truePose({ yaw: -60, pitch: 0 }).yaw).toBeCloseTo(-90);
  });

  it('beyond a profile there is nothing', () => {
    expect(truePose({ yaw: 900, pitch: -400 })).toEqual({ yaw: 90, pitch: -90 });
  });
});
