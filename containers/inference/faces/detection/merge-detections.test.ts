import { describe, expect, it } from 'vitest';
import type { Box } from '../../../../domain/faces/face-quality.ts';
import { mergeDetections } from './merge-detections.ts';

const face = (box: Box, confidence: number) => ({ box, confidence });

describe('one face has one detection', () => {
  it('of two boxes on it the more confident stays', () => {
    const sure = face([100, 100, 200, 220], 0.9);
    expect(mergeDetections([face([110, 105, 205, 230], 0.7), sure])).toEqual([sure]);
  });

  it('a box of a part of it goes', () => {
    const whole = face([100, 100, 300, 360], 0.9);
    expect(mergeDetections([whole, face([150, 110, 230, 200], 0.8)])).toEqual([whole]);
  });

  it('neighbours whose boxes touch both stay', () => {
    const cheeks = [face([100, 100, 200, 220], 0.9), face([180, 90, 280, 215], 0.8), face([90, 205, 190, 330], 0.7)];
    expect(mergeDetections(cheeks)).toEqual(cheeks);
  });
});
