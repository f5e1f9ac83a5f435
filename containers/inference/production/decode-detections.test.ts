import { describe, expect, it } from 'vitest';
import { decodeScrfd } from './decode-scrfd.ts';
import { decodeYolo } from './decode-yolo.ts';
import { decodeYunet } from './decode-yunet.ts';

const zeros = (length: number) => new Float32Array(length);

describe('SCRFD', () => {
  it('a face lies at distances from its anchor, which is its cell’s top left corner, in strides', () => {
    const cells = 4 * 2;
    const [scores, boxes, landmarks] = [zeros(2 * cells), zeros(8 * cells), zeros(20 * cells)];
    // The second anchor of the cell in column 3 of row 1.
    const anchor = (1 * 4 + 3) * 2 + 1;
    scores[anchor] = 0.75;
    boxes.set([1, 0.5, 2, 3], 4 * anchor);
    landmarks.set([-0.5, 0, 0.5, 0, 0, 0.5, -0.5, 1, 0.5, 1], 10 * anchor);
    const stride = { stride: 16, scores, boxes, landmarks };
    expect(decodeScrfd(stride, { width: 64, height: 32, anchorsPerCell: 2, confidenceMin: 0.5 })).toEqual([
      {
        confidence: 0.75,
        box: [48 - 16, 16 - 8, 48 + 32, 16 + 48],
        landmarks: [
          [40, 16],
          [56, 16],
          [48, 24],
          [40, 32],
          [56, 32],
        ],
      },
    ]);
    expect(() => decodeScrfd(stride, { width: 64, height: 64, anchorsPerCell: 2, confidenceMin: 0.5 })).toThrow(
      'stride 16',
    );
  });
});

describe('YuNet', () => {
  it('a face is centred relative to its cell, with the logarithm of its size, and as sure as both of its confidences', () => {
    const cells = 4 * 2;
    const [classes, objects, boxes, landmarks] = [zeros(cells), zeros(cells), zeros(4 * cells), zeros(10 * cells)];
    const cell = 1 * 4 + 2;
    classes[cell] = 0.9;
    objects[cell] = 0.4;
    boxes.set([0.5, 0.25, Math.log(2), Math.log(3)], 4 * cell);
    landmarks.set([0, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 1], 10 * cell);
    const [face, ...others] = decodeYunet(
      { stride: 8, classes, objects, boxes, landmarks },
      { width: 32, height: 16, confidenceMin: 0.5 },
    );
    expect(others).toEqual([]);
    expect(face!.confidence).toBeCloseTo(0.6, 5);
    for (const [at, value] of [20 - 8, 10 - 12, 20 + 8, 10 + 12].entries()) expect(face!.box[at]).toBeCloseTo(value, 4);
    expect(face!.landmarks[4]).toEqual([24, 16]);
  });
});

describe('YOLO', () => {
  const things = [
    { x: 50, y: 50, width: 20, height: 40, scores: [0.1, 0.8] },
    // The same thing again, less surely, and another class in its place.
    { x: 51, y: 50, width: 20, height: 40, scores: [0.1, 0.7] },
    { x: 50, y: 50, width: 20, height: 40, scores: [0.6, 0.1] },
    { x: 90, y: 10, width: 8, height: 8, scores: [0.3, 0.2] },
  ];
  const expected = [
    { class: 1, confidence: 0.8, bbox: [40, 30, 60, 70] },
    { class: 0, confidence: 0.6, bbox: [40, 30, 60, 70] },
  ];
  const terms = { classes: 2, confidenceMin: 0.5, overlapMax: 0.5 };
  const rounded = (found: ReturnType<typeof decodeYolo>) =>
    found.map((thing) => ({ ...thing, confidence: Number(thing.confidence.toFixed(4)) }));

  it('v8 writes one column a thing', () => {
    const rows = things.map(({ x, y, width, height, scores }) => [x, y, width, height, ...scores]);
    const columns = Float32Array.from(Array.from({ length: 6 }, (_, field) => rows.map((row) => row[field]!)).flat());
    expect(rounded(decodeYolo(columns, { ...terms, layout: 'v8' }))).toEqual(expected);
  });

  it('v5 writes one row a thing, whose scores hold as far as anything is there', () => {
    const rows = things.flatMap(({ x, y, width, height, scores }) => [
      x,
      y,
      width,
      height,
      0.5,
      ...scores.map((score) => 2 * score),
    ]);
    expect(rounded(decodeYolo(Float32Array.from(rows), { ...terms, layout: 'v5' }))).toEqual(expected);
  });
});
