/**
 * `npm run bench:upscale`: the upscaler of containers/inference, ONNX on one thread, against the same weights run by TensorFlow.js on its
 * WASM backend, which is single-threaded too, for a 256×256 image at 2× and 4×. Each size is cut out of a photograph and shrunk, so the
 * PSNR of both against the original tells that speed is not paid for in quality; plain cubic interpolation stands beside them.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { RgbImage } from '../containers/inference/engine/engine.ts';
import { loadTensorFlowUpscaler } from '../containers/inference/test/tensorflow-upscaler.ts';
import { loadEsrganUpscaler } from '../containers/inference/upscaling/esrgan-upscaler.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const SIDE = sized(256, 64);
const ROUNDS = sized(7, 1);
const PHOTOS = join(import.meta.dirname, '..', '..', 'shared', 'data', 'faces');

type Upscale = (image: RgbImage) => Promise<RgbImage>;

/** The middle of the largest photograph, else coloured waves and edges. */
async function original(side: number): Promise<RgbImage> {
  const files = existsSync(PHOTOS) ? readdirSync(PHOTOS).filter((file) => file.endsWith('.jpg')) : [];
  const sizes = await Promise.all(
    files.map(async (file) => ({ file, ...(await sharp(join(PHOTOS, file)).metadata()) })),
  );
  const photo = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  if (photo === undefined) return synthetic(side);
  return raw(sharp(join(PHOTOS, photo.file)).autoOrient().resize(side, side, { fit: 'cover' }));
}

function synthetic(side: number): RgbImage {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % side, Math.floor(at / 3 / side)];
    const edge = Math.hypot(x - side / 2, y - side / 2) < side / 3 ? 40 : -40;
    return 128 + edge + 60 * Math.sin((x * ((at % 3) + 1)) / 29) * Math.cos(y / 17);
  });
  return { width: side, height: side, data };
}

async function raw(image: Sharp): Promise<RgbImage> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function resizeTo({ width, height, data }: RgbImage, side: number, kernel: 'cubic' | 'lanczos3'): Promise<RgbImage> {
  return raw(sharp(data, { raw: { width, height, channels: 3 } }).resize(side, side, { kernel }));
}

/** Decibels; the higher, the nearer. */
function psnr(a: RgbImage, b: RgbImage): number {
  let squares = 0;
  for (const [at, value] of a.data.entries()) squares += (value - b.data[at]!) ** 2;
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length));
}

async function time(upscale: Upscale, image: RgbImage): Promise<number> {
  const from = performance.now();
  await upscale(image);
  return performance.now() - from;
}

async function measure(scale: 2 | 4) {
  const upscaler = await loadEsrganUpscaler({ device: 'cpu', threads: 1 });
  const ours: Upscale = (image) => upscaler.upscale(image, scale, () => undefined);
  const theirs = await loadTensorFlowUpscaler(scale);
  const whole = await original(SIDE * scale);
  const small = await resizeTo(whole, SIDE, 'lanczos3');
  const [onnx_psnr_db, tfjs_psnr_db] = [psnr(whole, await ours(small)), psnr(whole, await theirs(small))];
  const cubic_psnr_db = psnr(whole, await resizeTo(small, SIDE * scale, 'cubic'));
  const onnx_times: number[] = [];
  const tfjs_times: number[] = [];
  // In turns, so that what else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round++) {
    onnx_times.push(await time(ours, small));
    tfjs_times.push(await time(theirs, small));
  }
  const [onnx_ms, tfjs_ms] = [median(onnx_times), median(tfjs_times)];
  return { scale, onnx_ms, tfjs_ms, ratio: tfjs_ms / onnx_ms, onnx_psnr_db, tfjs_psnr_db, cubic_psnr_db };
}

const results = [await measure(2), await measure(4)];
const rounded = results.map((line) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, Number(value.toFixed(2))])),
);
printReport({
  bench: 'upscale',
  ratio: Math.min(...results.map(({ ratio }) => ratio)),
  table: rounded,
  figures: { side_px: SIDE, rounds: ROUNDS, results: rounded },
});
