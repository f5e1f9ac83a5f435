import sharp from 'sharp';
import { err, ok } from '../../../domain/result.ts';
import type { EnhancementResult } from '../../../protocol/inference/wire.ts';
import type { RgbImage } from '../engine/engine.ts';
import type { Engines } from '../engine/engines.ts';
import { failure } from '../failure.ts';
import type { ImageLimits } from '../images/decode-image.ts';
import type { TaskResult } from './task-result.ts';

/** Quick, and a few percent larger than the best: the result is fetched once or twice. */
const PNG_COMPRESSION = 4;
/** Shares of the progress: the restoration of faces ends at the first, the upscaling at the second, then the PNG is written. */
const RESTORED = 0.3;
const UPSCALED = 0.95;

export interface EnhancementTerms {
  /** 0..1; 1 stays nearest to the input. */
  readonly fidelity: number;
  readonly upscale: 1 | 2 | 4;
}

/**
 * Restores the faces where a restorer is installed, then upscales everything; the body is one JSON line, `EnhancementResult`, and the PNG.
 * Fails with INVALID_IMAGE where the enhanced image would exceed its limit.
 */
export async function enhanceImage(
  { faces, restorer, upscaler }: Engines,
  image: RgbImage,
  { fidelity, upscale }: EnhancementTerms,
  { enhanced_pixels_max }: ImageLimits,
  progress: (done: number) => void,
): Promise<TaskResult> {
  const { width, height } = image;
  if (width * height * upscale ** 2 > enhanced_pixels_max) return tooLarge(image, upscale, enhanced_pixels_max);
  progress(0);
  let restored = image;
  let faceRestoration: EnhancementResult['faceRestoration'] = 'unavailable';
  if (restorer !== null && faces !== null) {
    const found = await faces.analyze(image, 'none');
    faceRestoration = found.length > 0 ? 'applied' : 'no_face';
    const points = found.map(({ landmarks }) => landmarks);
    if (found.length > 0) restored = await restorer.restore(image, points, fidelity);
    progress(RESTORED);
  }
  const from = faceRestoration === 'unavailable' ? 0 : RESTORED;
  const toProgress = (done: number) => progress(from + (UPSCALED - from) * done);
  const enhanced = upscale === 1 ? restored : await upscaler!.upscale(restored, upscale, toProgress);
  progress(UPSCALED);
  const png = await encodePng(enhanced);
  progress(1);
  const result: EnhancementResult = {
    original: { width, height },
    enhanced: { width: enhanced.width, height: enhanced.height },
    byteLength: png.length,
    faceRestoration,
    upscaler: upscale === 1 ? 'none' : upscaler!.model,
  };
  return ok(join(`${JSON.stringify(result)}\n`, png));
}

function tooLarge({ width, height }: RgbImage, upscale: number, enhanced_pixels_max: number): TaskResult {
  const message = `the enhanced image would be ${width * upscale}×${height * upscale}; at most ${enhanced_pixels_max} pixels are made`;
  const details = { reason: 'too_many_pixels', width: width * upscale, height: height * upscale, enhanced_pixels_max };
  return err(failure('INVALID_IMAGE', message, details));
}

function encodePng({ width, height, data }: RgbImage): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  // A long body in one piece: the enhanced image is above sharp's own limit for photos from outside.
  return sharp(data, { raw, limitInputPixels: false }).png({ compressionLevel: PNG_COMPRESSION }).toBuffer();
}

function join(line: string, png: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(line);
  const body = new Uint8Array(head.length + png.length);
  body.set(head);
  body.set(png, head.length);
  return body;
}
