import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { RgbImage, Upscaler } from '../engine/engine.ts';
import { openSession, type SessionTerms } from '../onnx/open-session.ts';
import { esrganToOnnx } from './esrgan-to-onnx.ts';
import { readKerasModel } from './keras-model.ts';
import { upscaleByTiles } from './upscale-by-tiles.ts';

/** With its margin some 150 MB while it runs. */
const TILE_SIDE = 256;
/** How far the network sees: nine pixels of low-resolution convolutions and, rounded up, one after the enlargement. */
const MARGIN = 10;

export interface EsrganTerms extends SessionTerms {
  /** Longest side of a tile. */
  readonly tile_side_max?: number;
}

/**
 * Upscaling by the ESRGAN-slim weights that UpscalerJS publishes (MIT), turned into ONNX in memory, which takes some 30 ms. A tile sees as
 * far as the network does, so the tiles' edges do not show.
 */
export async function loadEsrganUpscaler({ tile_side_max = TILE_SIDE, ...terms }: EsrganTerms): Promise<Upscaler> {
  const [two, four] = await Promise.all([open(2, terms), open(4, terms)]);
  return {
    model: 'esrgan-slim',
    upscale: (image, scale, progress) =>
      upscaleByTiles(image, {
        scale,
        side_max: tile_side_max,
        margin: MARGIN,
        enlarge: (tile) => enlarge(scale === 2 ? two : four, tile),
        progress,
      }),
  };
}

/** Folder of the weights for one scale. @internal */
export function esrganFolder(scale: 2 | 4): string {
  const entry = fileURLToPath(import.meta.resolve('@upscalerjs/esrgan-slim'));
  const root = entry.slice(0, entry.indexOf(join('esrgan-slim', 'dist')));
  return join(root, 'esrgan-slim', 'models', `x${scale}`);
}

function open(scale: 2 | 4, terms: SessionTerms): Promise<InferenceSession> {
  return openSession(esrganToOnnx(readKerasModel(esrganFolder(scale))), terms);
}

async function enlarge(session: InferenceSession, { width, height, data }: RgbImage): Promise<Uint8Array> {
  const { enlarged } = await session.run({ image: new Tensor('uint8', data, [1, height, width, 3]) });
  return (await enlarged!.getData()) as Uint8Array;
}
