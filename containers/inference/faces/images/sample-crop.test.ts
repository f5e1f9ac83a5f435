import { expect, it } from 'vitest';
import type { RgbImage } from '../../engine/engine.ts';
import { ImagePyramid } from './image-pyramid.ts';
import { mirrorImage } from './mirror-image.ts';
import { sampleCrop } from './sample-crop.ts';

const IDENTITY = { a: 1, b: 0, tx: 0, ty: 0 };

function picture(width: number, height: number, valueAt: (x: number, y: number) => number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) data.fill(valueAt(i % width, Math.floor(i / width)), 3 * i, 3 * i + 3);
  return { width, height, data };
}

const crop = (image: RgbImage, toImage: typeof IDENTITY, width: number, height: number, outside: 'black' | 'nearest') =>
  sampleCrop(new ImagePyramid(image), toImage, { width, height, outside, detail: 'smooth' });

it('a crop at the same scale holds the same pixels', () => {
  const image = picture(7, 5, (x, y) => 10 * x + 30 * y);
  expect(crop(image, IDENTITY, 7, 5, 'nearest').data).toEqual(image.data);
  expect(crop(image, { ...IDENTITY, tx: 2, ty: 1 }, 3, 2, 'nearest')).toEqual(
    picture(3, 2, (x, y) => 10 * (x + 2) + 30 * (y + 1)),
  );
});

it('a quarter turn turns it', () => {
  const image = picture(4, 4, (x, y) => 10 * x + 50 * y);
  const turned = crop(image, { a: 0, b: 1, tx: 4, ty: 0 }, 4, 4, 'nearest');
  expect(turned).toEqual(picture(4, 4, (x, y) => 10 * (3 - y) + 50 * x));
});

it('a reduction is the mean of what it covers, without aliasing', () => {
  const stripes = picture(64, 64, (x) => (x % 2 === 0 ? 0 : 200));
  const reduced = crop(stripes, { ...IDENTITY, a: 8 }, 8, 8, 'nearest');
  expect(reduced).toEqual(picture(8, 8, () => 100));
});

it('outside of the image it is black or like the nearest pixel', () => {
  const white = picture(2, 2, () => 255);
  expect([...crop(white, { ...IDENTITY, tx: -1 }, 2, 1, 'black').data]).toEqual([0, 0, 0, 255, 255, 255]);
  expect([...crop(white, { ...IDENTITY, tx: -1 }, 2, 1, 'nearest').data]).toEqual(Array(6).fill(255));
});

it('a mirror image mirrored is the image', () => {
  const image = picture(5, 3, (x, y) => 20 * x + 7 * y);
  expect(mirrorImage(image)).toEqual(picture(5, 3, (x, y) => 20 * (4 - x) + 7 * y));
  expect(mirrorImage(mirrorImage(image))).toEqual(image);
});
