import { expect, it } from 'vitest';
import { boxInImage, inImage, type Quarter, turnedBack } from './turned-image.ts';

/** Pixel (x, y) is of colour (x, y, 0). */
const image = {
  width: 3,
  height: 2,
  data: Uint8Array.from([0, 1].flatMap((y) => [0, 1, 2].flatMap((x) => [x, y, 0]))),
};

it.each([0, 1, 2, 3] as Quarter[])(
  'turned back by %i quarters, a picture shows what lies where its points say',
  (quarter) => {
    const turned = turnedBack(image, quarter);
    expect([turned.width, turned.height]).toEqual(quarter % 2 === 0 ? [3, 2] : [2, 3]);
    for (let y = 0; y < turned.height; y += 1)
      for (let x = 0; x < turned.width; x += 1) {
        const [column, row] = inImage([x + 0.5, y + 0.5], quarter, image);
        const at = (y * turned.width + x) * 3;
        expect([...turned.data.subarray(at, at + 2)]).toEqual([column - 0.5, row - 0.5]);
      }
  },
);

it('what stood on its right side stands upright after one quarter', () => {
  // The upper left pixel of a picture that was turned clockwise is its upper right one.
  expect([...turnedBack(image, 1).data.subarray(0, 2)]).toEqual([2, 0]);
});

it('a box keeps its corners in order', () => {
  expect(boxInImage([0, 0, 1, 2], 1, image)).toEqual([1, 0, 3, 1]);
  expect(boxInImage([0, 0, 1, 2], 2, image)).toEqual([2, 0, 3, 2]);
  expect(boxInImage([0, 0, 1, 2], 3, image)).toEqual([0, 1, 2, 2]);
});
