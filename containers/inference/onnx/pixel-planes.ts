import type { RgbImage } from '../engine/engine.ts';

/** How a network takes its pixels. */
export interface PixelLayout {
  /** `(value - mean) / std` of 0..255, for red, green and blue. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  readonly order: 'rgb' | 'bgr';
}

/** An image as three planes, [3, height, width]. */
export function toPlanes({ width, height, data }: RgbImage, { mean, std, order }: PixelLayout): Float32Array {
  const pixels = width * height;
  const planes = new Float32Array(3 * pixels);
  for (let channel = 0; channel < 3; channel++) {
    const to = (order === 'rgb' ? channel : 2 - channel) * pixels;
    const [shift, scale] = [mean[channel]!, 1 / std[channel]!];
    for (let at = 0; at < pixels; at++) planes[to + at] = (data[3 * at + channel]! - shift) * scale;
  }
  return planes;
}

/** Three planes as an image: `value · std + mean`, bounded to 0..255. */
export function fromPlanes(
  planes: Float32Array,
  width: number,
  height: number,
  { mean, std, order }: PixelLayout,
): RgbImage {
  const pixels = width * height;
  if (planes.length !== 3 * pixels) throw new Error(`${planes.length} values are no ${width}×${height} image`);
  const data = new Uint8ClampedArray(3 * pixels);
  for (let channel = 0; channel < 3; channel++) {
    const from = (order === 'rgb' ? channel : 2 - channel) * pixels;
    const [shift, scale] = [mean[channel]!, std[channel]!];
    for (let at = 0; at < pixels; at++) data[3 * at + channel] = planes[from + at]! * scale + shift;
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}
