import { expect, it } from 'vitest';
import { decodeDetections } from './decode-detections.ts';

const ANCHORS = Float32Array.of(0.1, 0.2, 0.3, 0.3, 0.5, 0.5, 0.7, 0.6);
const WINDOW = { x: 100, y: 50, side: 1_000 };
const logit = (probability: number) => Math.log(probability / (1 - probability));

it('an anchor without a shift is itself, in pixels of the image', () => {
  const classes = Float32Array.of(0, logit(0.8), 0, 0, logit(0.1), 0);
  const [face, ...others] = decodeDetections({ boxes: new Float32Array(8), classes }, ANCHORS, WINDOW, 0.5);
  expect(others).toEqual([]);
  expect(face!.confidence).toBeCloseTo(0.8);
  for (const [i, side] of [300, 150, 400, 350].entries()) expect(face!.box[i]).toBeCloseTo(side, 3);
});

it('an anchor moves by tenths and grows by fifths of its size', () => {
  const boxes = Float32Array.of(0, 0, 0, 0, 10, -5, 5 * Math.log(2), 5 * Math.log(0.5));
  const classes = Float32Array.of(0, -10, 0, 0, 10, 0);
  const [face] = decodeDetections({ boxes, classes }, ANCHORS, { x: 0, y: 0, side: 100 }, 0.5);
  // Centre (55, 60) moves a whole height down and half a width left; 20 high becomes 40, 10 wide becomes 5.
  for (const [i, side] of [47.5, 60, 52.5, 100].entries()) expect(face!.box[i]).toBeCloseTo(side, 3);
});
