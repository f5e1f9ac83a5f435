import type { RgbImage } from '../engine/engine.ts';
import { tiles } from './tiles.ts';

export interface TilingTerms {
  readonly scale: number;
  readonly side_max: number;
  readonly margin: number;
  /** Enlarges one tile. */
  readonly enlarge: (tile: RgbImage) => Promise<Uint8Array>;
  /** Hears 0..1 after each tile; what it throws ends the work. */
  readonly progress: (done: number) => void;
}

const CHANNELS = 3;

/** Enlarges an image tile by tile, so that memory does not grow with it but for the result. */
export async function upscaleByTiles(image: RgbImage, terms: TilingTerms): Promise<RgbImage> {
  const { scale, enlarge, progress } = terms;
  const [width, height] = [image.width * scale, image.height * scale];
  const data = new Uint8Array(width * height * CHANNELS);
  const parts = tiles({ width: image.width, height: image.height, side_max: terms.side_max, margin: terms.margin });
  for (const [at, { seen, ...tile }] of parts.entries()) {
    const enlarged = await enlarge(cut(image, seen));
    const rowBytes = tile.width * scale * CHANNELS;
    for (let y = 0; y < tile.height * scale; y++) {
      const from = (((tile.y - seen.y) * scale + y) * seen.width * scale + (tile.x - seen.x) * scale) * CHANNELS;
      const to = ((tile.y * scale + y) * width + tile.x * scale) * CHANNELS;
      data.set(enlarged.subarray(from, from + rowBytes), to);
    }
    // Lets the thread hear that the client has gone.
    await new Promise((resolve) => setImmediate(resolve));
    progress((at + 1) / parts.length);
  }
  return { width, height, data };
}

function cut(
  image: RgbImage,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): RgbImage {
  if (width === image.width && height === image.height) return image;
  const data = new Uint8Array(width * height * CHANNELS);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * CHANNELS;
    data.set(image.data.subarray(from, from + width * CHANNELS), row * width * CHANNELS);
  }
  return { width, height, data };
}
