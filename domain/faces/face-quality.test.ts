import { describe, expect, it } from 'vitest';
import { describeRejection, type FaceQuality, qualityRejection } from './face-quality.ts';

const good: FaceQuality = { blur: 0.2, yaw: 4, pitch: -3, face_size: 140 };
const rejected = (change: Partial<FaceQuality>) => {
  const rejection = qualityRejection({ ...good, ...change });
  return rejection === null ? null : describeRejection(rejection);
};

describe('a face is rejected when', () => {
  it.each([
    [{ blur: 0.51 }, 'blur 0.51 is above 0.5'],
    [{ yaw: 30.5 }, 'yaw 30.5 degrees is beyond 30 degrees'],
    [{ yaw: -31 }, 'yaw -31 degrees is beyond 30 degrees'],
    [{ pitch: 40 }, 'pitch 40 degrees is beyond 30 degrees'],
    [{ pitch: -30.1 }, 'pitch -30.1 degrees is beyond 30 degrees'],
    [{ face_size: 79 }, 'face_size 79 px is below 80 px'],
  ])('a rule is violated: %o', (change, reason) => {
    expect(rejected(change)).toBe(reason);
  });

  it.each([
    ['not_upright', 'not_upright: the face cannot be turned upright'],
    ['cut_off', 'cut_off: too much of the face lies beyond the edge of the picture'],
  ] as const)('E-01: what is embedded would be no upright, whole face: %s', (misaligned, reason) => {
    expect(rejected({ misaligned })).toBe(reason);
    expect(rejected({ misaligned, blur: 0.9, yaw: 60 })).toBe(reason);
  });

  it('a measure is no number', () => {
    for (const measure of ['blur', 'yaw', 'pitch', 'face_size'] as const)
      expect(rejected({ [measure]: Number.NaN })).toContain(measure);
  });
});

it('a face on every threshold is stored', () => {
  expect(rejected({ blur: 0.5, yaw: -30, pitch: 30, face_size: 80 })).toBeNull();
});
