import type { RgbImage } from '../../engine/engine.ts';

/**
 * An image and its halvings, made when first asked for. Sampling at the level whose pixels are nearest to the size wanted keeps a
 * reduction free of aliasing, at a cost that depends on the size of the result alone.
 */
export class ImagePyramid {
  readonly #levels: [RgbImage, ...RgbImage[]];

  constructor(image: RgbImage) {
    this.#levels = [image];
  }

  get image(): RgbImage {
    return this.#levels[0];
  }

  /** The smallest level that is still at least as fine as `pixelsPerSample` pixels of the original, and how much it is reduced. */
  levelFor(pixelsPerSample: number): { level: RgbImage; reduction: number } {
    const depth = Math.max(0, Math.floor(Math.log2(pixelsPerSample)));
    let last = this.#levels.at(-1)!;
    while (this.#levels.length <= depth && Math.min(last.width, last.height) >= 2) {
      last = halve(last);
      this.#levels.push(last);
    }
    const index = Math.min(depth, this.#levels.length - 1);
    return { level: this.#levels[index]!, reduction: 2 ** index };
  }
}

/** Each pixel the mean of four; an odd last row or column is left out. */
function halve({ width, height, data }: RgbImage): RgbImage {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const half = new Uint8Array(halfWidth * halfHeight * 3);
  const row = width * 3;
  let to = 0;
  for (let y = 0; y < halfHeight; y += 1) {
    let from = 2 * y * row;
    for (let x = 0; x < halfWidth; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        half[to] = (data[from]! + data[from + 3]! + data[from + row]! + data[from + row + 3]! + 2) >> 2;
        to += 1;
        from += 1;
      }
      from += 3;
    }
  }
  return { width: halfWidth, height: halfHeight, data: half };
}
