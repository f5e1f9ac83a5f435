import type { FivePoints, RgbImage } from '../../engine/engine.ts';
import { fitSimilarity, invertSimilarity, transformPoint } from '../geometry/similarity-transform.ts';
import { EMBEDDING_TEMPLATE } from './face-template.ts';

/** Rows and columns of points that stand for the crop. */
const GRID = 16;

/** How much of a face's aligned crop lies beyond the edge of the image, 0 to 1: there the crop repeats the last pixels. */
export function shareOutside({ width, height }: Pick<RgbImage, 'width' | 'height'>, landmarks: FivePoints): number {
  const { side, points } = EMBEDDING_TEMPLATE;
  const toTemplate = fitSimilarity(landmarks, points);
  const toImage = toTemplate === null ? null : invertSimilarity(toTemplate);
  if (toImage === null) return 1;
  let outside = 0;
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) {
      const [x, y] = transformPoint(toImage, [((column + 0.5) * side) / GRID, ((row + 0.5) * side) / GRID]);
      if (x < 0 || y < 0 || x > width || y > height) outside += 1;
    }
  return outside / GRID ** 2;
}
