import type { RgbImage } from '../../engine/engine.ts';

/** Left and right exchanged. */
export function mirrorImage({ width, height, data }: RgbImage): RgbImage {
  const mirrored = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      const to = (y * width + (width - 1 - x)) * 3;
      mirrored[to] = data[from]!;
      mirrored[to + 1] = data[from + 1]!;
      mirrored[to + 2] = data[from + 2]!;
    }
  return { width, height, data: mirrored };
}
