import fc from 'fast-check';
import { expect, it } from 'vitest';
import { detectionWindows } from './detection-windows.ts';

/** The detector's own measure: of the 512 pixels it sees, a face must take this many. */
const DETECTOR_SIDE = 512;
const FACE_IN_DETECTOR_MIN = 23;
/** Far below a pixel: where a window ends is a sum of floating-point numbers. */
const ROUNDING = 1e-6;

const photo = fc.record({
  width: fc.integer({ min: 1_000, max: 8_000 }),
  height: fc.integer({ min: 600, max: 6_000 }),
});

it('every face of 80 pixels and more lies whole and large enough in some window', () => {
  fc.assert(
    fc.property(
      photo,
      fc.double({ min: 80, max: 2_000, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ width, height }, faceWidth, across, down) => {
        const faceHeight = faceWidth * 1.3;
        fc.pre(faceWidth < width && faceHeight < height);
        const left = across * (width - faceWidth);
        const top = down * (height - faceHeight);
        const seen = detectionWindows(width, height).some(
          ({ x, y, side }) =>
            left >= x - ROUNDING &&
            top >= y - ROUNDING &&
            left + faceWidth <= x + side + ROUNDING &&
            top + faceHeight <= y + side + ROUNDING &&
            (faceWidth / side) * DETECTOR_SIDE >= FACE_IN_DETECTOR_MIN,
        );
        expect(seen).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

it('a small photo is looked at once, and no photo more than a bounded number of times', () => {
  expect(detectionWindows(640, 480)).toEqual([{ x: 0, y: -80, side: 640 }]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), (width, height) => {
      expect(detectionWindows(width, height).length).toBeLessThanOrEqual(37);
    }),
  );
});
