import type { RgbImage } from '../../engine/engine.ts';

/** Variance of the Laplacian at which blur is one half. */
const HALF_BLUR_VARIANCE = 100;

/** 0 is sharp, 1 has no edge at all: `1 / (1 + v / 100)` of the variance v of the Laplacian over the grey crop. */
export function measureBlur(crop: RgbImage): number {
  return 1 / (1 + laplacianVariance(greyOf(crop), crop.width, crop.height) / HALF_BLUR_VARIANCE);
}

/** Luma of ITU-R BT.601, 0..255. */
function greyOf({ data }: RgbImage): Float32Array {
  const grey = new Float32Array(data.length / 3);
  for (let i = 0; i < grey.length; i += 1)
    grey[i] = 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!;
  return grey;
}

/** Over the pixels that have four neighbours. */
function laplacianVariance(grey: Float32Array, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      const laplacian = grey[i - 1]! + grey[i + 1]! + grey[i - width]! + grey[i + width]! - 4 * grey[i]!;
      sum += laplacian;
      squares += laplacian * laplacian;
    }
  const count = (width - 2) * (height - 2);
  return count > 0 ? squares / count - (sum / count) ** 2 : 0;
}
