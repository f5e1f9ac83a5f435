import { describe, expect, it, vi } from 'vitest';
import type { RgbImage } from '../engine/engine.ts';
import { loadTensorFlowUpscaler } from '../test/tensorflow-upscaler.ts';
import { loadEsrganUpscaler } from './esrgan-upscaler.ts';

// TensorFlow.js takes long to load on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const device = { device: 'cpu', threads: 1 } as const;
const ignore = () => undefined;

/** Smooth colours, hard edges and noise; the same at every run. */
function picture(width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  let noise = 7;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) {
        noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648;
        const smooth = 128 + 90 * Math.sin((x * (channel + 1)) / 17) * Math.cos(y / 13);
        const edge = (Math.floor(x / 11) + Math.floor(y / 9)) % 2 === 0 ? 25 : -25;
        data[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, smooth + edge + (noise % 21) - 10));
      }
  return { width, height, data };
}

function largestDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((largest, value, at) => Math.max(largest, Math.abs(value - b[at]!)), 0);
}

describe.each([2, 4] as const)('an image upscaled %s times', (scale) => {
  it('has the pixels that the published network gives, within rounding', async () => {
    const image = picture(40, 33);
    const [upscaler, published] = await Promise.all([loadEsrganUpscaler(device), loadTensorFlowUpscaler(scale)]);
    const [ours, theirs] = [await upscaler.upscale(image, scale, ignore), await published(image)];
    expect([ours.width, ours.height]).toEqual([40 * scale, 33 * scale]);
    expect(largestDifference(ours.data, theirs.data)).toBeLessThanOrEqual(1);
  });

  it('has no seams: in tiles it is what it is in one piece, within rounding', async () => {
    const image = picture(97, 83);
    const [whole, tiled] = await Promise.all([
      loadEsrganUpscaler(device),
      loadEsrganUpscaler({ ...device, tile_side_max: 24 }),
    ]);
    const steps: number[] = [];
    const [one, many] = [
      await whole.upscale(image, scale, ignore),
      await tiled.upscale(image, scale, (done) => steps.push(done)),
    ];
    expect(largestDifference(one.data, many.data)).toBeLessThanOrEqual(1);
    expect(steps).toHaveLength(20);
    expect(steps.at(-1)).toBe(1);
  });
});

it('upscaling ends where its progress throws', async () => {
  const upscaler = await loadEsrganUpscaler({ ...device, tile_side_max: 16 });
  let heard = 0;
  const upscaled = upscaler.upscale(picture(64, 64), 2, () => {
    if (++heard === 3) throw new Error('nobody waits for it');
  });
  await expect(upscaled).rejects.toThrow('nobody waits for it');
  expect(heard).toBe(3);
});
