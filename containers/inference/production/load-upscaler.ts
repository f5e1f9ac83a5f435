import sharp from 'sharp';
import type { RgbImage, Upscaler } from '../engine/engine.ts';
import { openSession, type SessionTerms } from '../onnx/open-session.ts';
import { fromPlanes, type PixelLayout } from '../onnx/pixel-planes.ts';
import { runModel } from '../onnx/run-model.ts';
import { upscaleByTiles } from '../upscaling/upscale-by-tiles.ts';
import type { UpscalerModel } from './models-file.ts';

/**
 * Upscaling by the installed network, which has one scale of its own. The other is made of it: four times by two runs of a network for
 * two, two times by halving what one for four gives. Throws when the file is no model.
 */
export async function loadUpscaler(model: UpscalerModel, file: Uint8Array, terms: SessionTerms): Promise<Upscaler> {
  const session = await openSession(file, terms);
  const layout: PixelLayout = model;
  const enlarge = async (tile: RgbImage) => {
    const output = await runModel(session, tile, layout);
    const { values } = output(session.outputNames[0]!);
    return fromPlanes(values, tile.width * model.scale, tile.height * model.scale, layout).data;
  };
  const once = (image: RgbImage, progress: (done: number) => void) =>
    upscaleByTiles(image, { scale: model.scale, side_max: model.tile, margin: model.margin, enlarge, progress });
  return {
    model: model.name,
    async upscale(image, scale, progress) {
      if (scale === model.scale) return once(image, progress);
      if (scale === 2) return halve(await once(image, progress));
      // The second run has four times the pixels of the first.
      const doubled = await once(image, (done) => progress(done * 0.2));
      return once(doubled, (done) => progress(0.2 + done * 0.8));
    },
  };
}

async function halve({ width, height, data }: RgbImage): Promise<RgbImage> {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const half = await sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
    .resize(halfWidth, halfHeight, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { width: halfWidth, height: halfHeight, data: half };
}
