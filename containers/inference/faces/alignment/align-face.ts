import type { FivePoints, RgbImage } from '../../engine/engine.ts';
import { fitSimilarity, invertSimilarity } from '../geometry/similarity-transform.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { sampleCrop } from '../images/sample-crop.ts';
import type { FaceTemplate } from './face-template.ts';

/** The face brought to where the template wants it by turning, scaling and moving alone; null for points that lie on one spot. */
export function alignFace(
  pyramid: ImagePyramid,
  landmarks: FivePoints,
  { side, points, detail }: FaceTemplate,
): RgbImage | null {
  const toTemplate = fitSimilarity(landmarks, points);
  const toImage = toTemplate === null ? null : invertSimilarity(toTemplate);
  return toImage === null
    ? null
    : sampleCrop(pyramid, toImage, { width: side, height: side, outside: 'nearest', detail });
}
