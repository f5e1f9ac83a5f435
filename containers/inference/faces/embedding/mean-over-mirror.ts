import type { RgbImage } from '../../engine/engine.ts';
import { mirrorImage } from '../images/mirror-image.ts';

/** What a network says of a crop and of its mirror image, on average: left and right count alike. */
export async function meanOverMirror(
  crop: RgbImage,
  describe: (crop: RgbImage) => Promise<Float32Array>,
): Promise<Float32Array> {
  const straight = await describe(crop);
  const mirrored = await describe(mirrorImage(crop));
  return straight.map((value, i) => (value + mirrored[i]!) / 2);
}
