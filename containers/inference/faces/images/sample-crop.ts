import type { RgbImage } from '../../engine/engine.ts';
import { type SimilarityTransform, scaleOf } from '../geometry/similarity-transform.ts';
import type { ImagePyramid } from './image-pyramid.ts';

/** What lies outside the image: black, as networks were trained on, or the nearest pixel, which makes no edge. */
type Outside = 'black' | 'nearest';

/**
 * 'smooth' samples a reduction free of aliasing; 'edges' keeps more of the detail, at the price of some aliasing: where sharpness
 * is measured, what the reduction itself smooths must not count as blur.
 */
export type Detail = 'smooth' | 'edges';

export interface CropShape {
  readonly width: number;
  readonly height: number;
  readonly outside: Outside;
  readonly detail: Detail;
}

/**
 * Samples a `width` × `height` crop whose pixel (x, y) shows the point of the image that `toImage` sends its centre to. Bilinear,
 * from the level of the pyramid that fits the scale.
 */
export function sampleCrop(
  pyramid: ImagePyramid,
  toImage: SimilarityTransform,
  { width, height, outside, detail }: CropShape,
): RgbImage {
  const { level, reduction } = pyramid.levelFor(scaleOf(toImage) / (detail === 'edges' ? 2 : 1));
  const { width: levelWidth, height: levelHeight, data } = level;
  const a = toImage.a / reduction;
  const b = toImage.b / reduction;
  const rowLength = levelWidth * 3;
  const crop = new Uint8Array(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    // Pixel centres lie at halves, in the crop as in the image.
    let u = (toImage.tx + toImage.a * 0.5 - toImage.b * (y + 0.5)) / reduction - 0.5;
    let v = (toImage.ty + toImage.b * 0.5 + toImage.a * (y + 0.5)) / reduction - 0.5;
    for (let x = 0; x < width; x += 1, at += 3, u += a, v += b) {
      if (outside === 'black' && (u < -0.5 || v < -0.5 || u > levelWidth - 0.5 || v > levelHeight - 0.5)) continue;
      const clampedU = Math.min(Math.max(u, 0), levelWidth - 1);
      const clampedV = Math.min(Math.max(v, 0), levelHeight - 1);
      const column = Math.trunc(clampedU);
      const row = Math.trunc(clampedV);
      const right = clampedU - column;
      const down = clampedV - row;
      const nextColumn = column + 1 < levelWidth ? 3 : 0;
      const nextRow = row + 1 < levelHeight ? rowLength : 0;
      const corner = row * rowLength + column * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const from = corner + channel;
        const above = data[from]! + (data[from + nextColumn]! - data[from]!) * right;
        const below = data[from + nextRow]! + (data[from + nextRow + nextColumn]! - data[from + nextRow]!) * right;
        crop[at + channel] = above + (below - above) * down + 0.5;
      }
    }
  }
  return { width, height, data: crop };
}
